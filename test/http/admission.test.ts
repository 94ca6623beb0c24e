import type { LookupFunction } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTransport } from '../../src/http/transport.ts'
import { serve } from '../support/servers/web-server.ts'
import { thrown } from '../support/thrown.ts'

const { signal } = new AbortController()

/** Starts a server that echoes the host header. */
const startEcho = () => serve((incoming, response) => response.end(incoming.headers.host))

/** Creates a transport that resolves any name to these addresses, one list per lookup. */
function open(...answers: readonly (readonly string[])[]) {
  const asked: string[] = []
  const lookup: LookupFunction = (name, _, callback) => {
    const addresses = answers[asked.push(name) - 1] ?? []
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  const transport = createTransport({ lookup })
  onTestFinished(() => transport.close())
  const get = async (url: string, admit?: (address: string) => boolean) => {
    const options = admit === undefined ? {} : { admit }
    const response = await transport.send({ method: 'GET', url, headers: {}, ...options }, { signal })
    const chunks: Uint8Array[] = []
    for await (const chunk of response.body) chunks.push(chunk)
    return Buffer.concat(chunks).toString()
  }
  return { get, asked }
}

const refusal = (host: string, address: string) => ({
  code: 'permission',
  message: `${host} must not be contacted: its address is ${address}`,
  details: { address },
})

describe('a request with an address check', () => {
  it('checks each address and keeps the name in the host header', async () => {
    const { port } = await startEcho()
    const { get, asked } = open(['127.0.0.1'])
    const seen: string[] = []
    const body = await get(`http://example.test:${port}/`, (address) => seen.push(address) > 0)
    expect({ body, asked, seen }).toEqual({
      body: `example.test:${port}`,
      asked: ['example.test'],
      seen: ['127.0.0.1'],
    })
  })

  it('does not connect if one of several addresses is refused', async () => {
    const world = await startEcho()
    const { get } = open(['127.0.0.1', '10.0.0.1'])
    const url = `http://example.test:${world.port}/`
    expect(await thrown(() => get(url, (address) => address !== '10.0.0.1'))).toMatchObject(
      refusal('example.test', '10.0.0.1'),
    )
    expect(world.connections).toBe(0)
  })

  it('does not connect if the URL holds a refused address in any notation', async () => {
    const world = await startEcho()
    const { get, asked } = open()
    for (const host of ['127.0.0.1', '0x7f.1', '2130706433', '0177.0.0.1', '127.1']) {
      const error = await thrown(() => get(`http://${host}:${world.port}/`, () => false))
      expect(error).toMatchObject(refusal('127.0.0.1', '127.0.0.1'))
    }
    const error = await thrown(() => get(`http://[::1]:${world.port}/`, () => false))
    expect(error).toMatchObject(refusal('[::1]', '::1'))
    expect([world.connections, asked]).toEqual([0, []])
  })

  it('looks a name up once for check and connection', async () => {
    const world = await startEcho()
    const { get, asked } = open(['127.0.0.1'], ['10.0.0.1'])
    const url = `http://rebind.test:${world.port}/`
    const admit = (address: string) => address === '127.0.0.1'
    await get(url, admit)
    expect(asked).toEqual(['rebind.test'])
    expect(await thrown(() => get(url, admit))).toMatchObject(refusal('rebind.test', '10.0.0.1'))
  })

  it('does not reuse an open connection', async () => {
    const world = await startEcho()
    const { get } = open()
    const url = `http://127.0.0.1:${world.port}/`
    await get(url)
    expect(await thrown(() => get(url, () => false))).toMatchObject({ code: 'permission' })
    await get(url, () => true)
    expect(world.connections).toBe(2)
  })

  it('reports an unknown name', async () => {
    const transport = createTransport()
    onTestFinished(() => transport.close())
    const request = { method: 'GET', url: 'http://nowhere.invalid/', headers: {}, admit: () => true } as const
    expect(await thrown(() => transport.send(request, { signal }))).toMatchObject({ code: 'network' })
  })
})
