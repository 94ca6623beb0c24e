import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { listen } from '../servers/listen.ts'

/** Messages of the protocol: a letter, and a length that counts itself. */
function* messagesIn(bytes: Buffer): Generator<Buffer, Buffer> {
  let rest = bytes
  while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
    const size = 1 + rest.readUInt32BE(1)
    yield rest.subarray(0, size)
    rest = rest.subarray(size)
  }
  return rest
}

function message(letter: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(letter)
  head.writeUInt32BE(4 + body.length, 1)
  return Buffer.concat([head, body])
}

/** Splits what arrives into messages. */
function reader(take: (message: Buffer) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0)
  return (bytes) => {
    const messages = messagesIn(Buffer.concat([rest, bytes]))
    let next = messages.next()
    for (; next.done !== true; next = messages.next()) take(next.value)
    rest = Buffer.from(next.value)
  }
}

/** The answer to a client's first message: welcome, the key of a process that does not exist, ready. */
const welcome = (key: Buffer) =>
  Buffer.concat([message('R', Buffer.alloc(4)), key, message('Z', Buffer.from('I'))])
const noKey = message('K', Buffer.from([0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 1]))

export interface LendingPooler {
  readonly url: string
  /** Takes another connection to the server from now on. The former one stays open. */
  swap(): Promise<void>
}

export interface LendingChoice {
  /** Tells clients the server's own process, so that they see no pooler. */
  readonly isHidden?: boolean
}

/**
 * Starts a pooler that has one connection to the server and lends it for one transaction at a time, as PgBouncer does by transaction.
 * Closed after the test.
 */
export async function startLendingPooler(
  databaseUrl: string,
  { isHidden = false }: LendingChoice = {},
): Promise<LendingPooler> {
  const url = new URL(databaseUrl)
  const place = { host: url.hostname, port: Number(url.port) }
  const sockets = new Set<Socket>()
  const queue: (() => void)[] = []
  let borrower: Socket | undefined
  let isReady = false
  let key = noKey

  const lendNext = () => {
    borrower = undefined
    queue.shift()?.()
  }
  const connectServer = () =>
    new Promise<Socket>((resolve) => {
      const socket = connect(place)
      sockets.add(socket)
      socket.on(
        'data',
        reader((received) => {
          borrower?.write(received)
          if (isHidden && received[0] === 0x4b) key = received
          if (received[0] !== 0x5a) return
          // Ready, and outside of a transaction.
          if (received.toString('latin1', 5) === 'I') lendNext()
          isReady = true
          resolve(socket)
        }),
      )
      socket.on('error', () => undefined)
      socket.write(startup(url))
    })
  let backend = await connectServer()

  const server = createServer((client) => {
    sockets.add(client)
    client.on('error', () => undefined)
    let isWelcomed = false
    const waiting: Buffer[] = []
    const borrow = () => {
      borrower = client
      for (const sent of waiting.splice(0)) backend.write(sent)
    }
    const read = reader((sent) => {
      if (sent[0] === 0x58) return void client.end()
      if (borrower === client) return void backend.write(sent)
      waiting.push(sent)
      if (borrower === undefined && isReady) borrow()
      else if (waiting.length === 1) queue.push(borrow)
    })
    client.on('data', (bytes) => {
      if (isWelcomed) return read(bytes)
      isWelcomed = true
      client.write(welcome(key))
    })
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  url.port = String(await listen(server))
  const swap = async () => {
    isReady = false
    backend = await connectServer()
  }
  return { url: url.href, swap }
}

function startup(url: URL): Buffer {
  const names = ['user', url.username, 'database', url.pathname.slice(1), '', '']
  const body = Buffer.concat([Buffer.from([0, 3, 0, 0]), Buffer.from(names.join('\0'))])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(4 + body.length)
  return Buffer.concat([size, body])
}
