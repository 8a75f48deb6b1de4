"""Rare schedules of the learning rate, imported when one of their names is asked for.

factors                 times a factor: at milestones, in a line, by a power
cyclic                  up and down again, often; half a cosine wave, over and over
sequential              slower when a loss no longer falls; one schedule after another
"""
