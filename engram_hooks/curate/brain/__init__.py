"""The user's own language model as a judge: asked in the background, checked like any stranger, never needed."""
