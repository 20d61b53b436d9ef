"""What the studio says in words: the lead in everyday language, the stories, the paper's
pathologies, the glossary.
"""
