"""The learners, one file each. They can be run by `train(settings)`, and imported."""
