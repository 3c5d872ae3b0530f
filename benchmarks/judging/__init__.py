"""Do the engines agree, who is right, and the evidence."""
