"""Rare schedules of the learning rate, imported when one of their names is asked for.

cyclic, one_cycle       up and down again, often; once
plateau, sequential     slower when a loss no longer falls; one schedule after another
"""
