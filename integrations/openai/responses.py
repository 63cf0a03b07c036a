class ResponseStream:
    pass
