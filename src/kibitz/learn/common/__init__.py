"""What the learners share: settings, memories, nets, schedules, tables, checkpoints and the loop around them."""
