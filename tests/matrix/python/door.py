from componentize_py_types import Err


class Echo:
    def truth(self, v):
        return v

    def tiny(self, v):
        return v

    def byte(self, v):
        return v

    def short(self, v):
        return v

    def word(self, v):
        return v

    def signed(self, v):
        return v

    def unsigned(self, v):
        return v

    def long(self, v):
        return v

    def longest(self, v):
        return v

    def single(self, v):
        return v

    def double(self, v):
        return v

    def letter(self, v):
        return v

    def text(self, v):
        return v

    def bytes(self, v):
        return v

    def texts(self, v):
        return v

    def pairs(self, v):
        return v

    def place(self, v):
        return v

    def figure(self, v):
        return v

    def grade(self, v):
        return v

    def may(self, v):
        return v

    def perhaps(self, v):
        return v

    def doubt(self, v):
        return v

    def came(self, v):
        return v

    def fails(self, v):
        raise Err(v)
