"""The category hierarchy: clusters of episodes and entities, and the layers above them."""
