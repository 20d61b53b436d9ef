"""Estimates from released numbers, and the accuracy to expect before a release; the raw data is
never read.

accuracy, needed   what a mechanism will do; the epsilon or the size a wanted accuracy needs
estimates          `dc.estimate`: everything a released table says
group, group_table one group: likelihood, posterior, intervals; every group by itself
count_columns      estimates and intervals beside released counts of many sizes
totals             total, rate, mean            distribution   of true counts over groups of one
                   size
samples            released groups in memory, checked against their manifest
changes, combining two strata; several releases of the same people
parts/             subtotals, whole numbers that add up, changes    levels/  the mathematics of
                   several levels
methods/           the statistics behind them
"""
