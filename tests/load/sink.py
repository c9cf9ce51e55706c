"""An SMTP server of its own process that accepts everything: `python -m tests.load.sink PORT SECONDS_A_REPLY`."""

import asyncio
import sys


class Sink:
    """Answers each command after a while, and counts the messages."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._count = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, to its end."""
        await self._say(writer, "220 sink")
        while line := await reader.readline():
            verb = line[:4].upper().strip()
            if verb == b"DATA":
                await self._say(writer, "354 go on")
                await reader.readuntil(b"\r\n.\r\n")
                self._count += 1
                await self._say(writer, f"250 queued as {self._count}")
            elif verb == b"QUIT":
                await self._say(writer, "221 bye")
                break
            else:
                await self._say(writer, "250 sink" if verb in (b"EHLO", b"HELO") else "250 OK")
        writer.close()

    async def _say(self, writer: asyncio.StreamWriter, text: str) -> None:
        if self._seconds:
            await asyncio.sleep(self._seconds)
        writer.write(text.encode() + b"\r\n")
        await writer.drain()


async def main(port: int, seconds: float) -> None:
    """Serve until the process is ended."""
    server = await asyncio.start_server(Sink(seconds).serve, "127.0.0.1", port, limit=2**20)
    print("ready", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), float(sys.argv[2])))
