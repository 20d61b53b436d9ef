"""Every way a value is shown: text for a terminal, HTML for a notebook, charts.

text, html       the builders: tables, facts, notes
colours, cells   one colour for each mechanism and each chance; the cells that every heatmap is
                 drawn from
describing, choices, releases   how mechanisms, comparisons and releases look
charts, pictures/   `dc.plot`, and one module for each kind of chart
"""
