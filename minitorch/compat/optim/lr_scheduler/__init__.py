"""Rare schedules of the learning rate, imported when one of their names is asked for.

factors                 times a factor: at milestones, in a line, by a power
cyclic, one_cycle       up and down again, often; once
warm_restarts           half a cosine wave, over and over
plateau, sequential     slower when a loss no longer falls; one schedule after another
"""
