"""The same work on many machines, by Ray (extra `ray`): placement and restarts are Ray's, all else is the core's.

    cluster    to a running cluster, or to one of this machine
    actors     self-play for a training: a `Source` of experience
    packing    experience as few bytes
    backend    jobs of tournaments, chunks of matches, parts of experiments

Nothing outside of this folder imports Ray, and nothing imports this folder before it is asked for.
"""
