"""An SMTP server of its own process that accepts everything, slowly: `bench.sink PORT SECONDS_A_REPLY`."""

import asyncio
import sys


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, seconds: float) -> None:
    """One connection, to its end."""

    async def say(text: bytes) -> None:
        await asyncio.sleep(seconds)
        writer.write(text + b"\r\n")
        await writer.drain()

    await say(b"220 sink")
    while line := await reader.readline():
        verb = line[:4].upper()
        if verb == b"DATA":
            await say(b"354 go on")
            await reader.readuntil(b"\r\n.\r\n")
        await say(b"221 bye" if verb == b"QUIT" else b"250 OK")
        if verb == b"QUIT":
            break
    writer.close()


async def main(port: int, seconds: float) -> None:
    """Serve until the process is ended."""
    server = await asyncio.start_server(
        lambda reader, writer: serve(reader, writer, seconds), "127.0.0.1", port, limit=2**20
    )
    print("ready", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), float(sys.argv[2])))
