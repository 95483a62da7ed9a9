"""Reading by rules: from English and Chinese sentences to names and claims."""
