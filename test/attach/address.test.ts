import { describe, expect, it } from 'vitest'
import { isLocal, isReadable, readAddress, type ServerAddress, serverName } from '../../src/attach/address.ts'
import { thrown } from '../support/thrown.ts'

/** Reads an address that is one. */
function read(text: string): ServerAddress {
  const address = readAddress(text)
  if (address === undefined) throw new Error(`${text} is no address`)
  return address
}

describe('the address of a server', () => {
  it.each([
    ['http://127.0.0.1:8800/#token=abc', { base: 'http://127.0.0.1:8800', token: 'abc' }],
    ['http://den:8800', { base: 'http://den:8800' }],
    [
      'https://den.example/sessions/0190ab#token=abc',
      { base: 'https://den.example', token: 'abc', sessionId: '0190ab' },
    ],
    ['http://den:8800/#/session/0190ab', { base: 'http://den:8800', sessionId: '0190ab' }],
    ['https://den.example/pipe/#token=abc', { base: 'https://den.example/pipe', token: 'abc' }],
    ['https://den.example/pipe', { base: 'https://den.example/pipe' }],
    ['https://den.example/v1', { base: 'https://den.example' }],
    [
      'https://den.example/a/pipe/sessions/0190ab',
      { base: 'https://den.example/a/pipe', sessionId: '0190ab' },
    ],
    ['https://den.example/pipe/#/session/0190ab', { base: 'https://den.example/pipe', sessionId: '0190ab' }],
    ['unix:/run/pipe.sock', { base: 'http://localhost', socketPath: '/run/pipe.sock' }],
    [
      'unix:/run/pipe.sock/sessions/work#token=abc',
      { base: 'http://localhost', socketPath: '/run/pipe.sock', token: 'abc', sessionId: 'work' },
    ],
  ])('is read: %s', (text, address) => expect(read(text)).toEqual(address))

  it.each(['0190ab', 'work', '127.0.0.1'])('is something else than an id: %s', (text) =>
    expect(readAddress(text)).toBeUndefined(),
  )

  it.each(['ftp://den/', 'http://', 'http://ann:secret@den/', 'unix:pipe.sock', 'unix:'])(
    'is refused: %s',
    async (text) => expect(await thrown(() => readAddress(text))).toMatchObject({ code: 'usage' }),
  )

  it.each([
    ['http://127.0.0.1:8800/#token=abc', '127.0.0.1:8800', true, false],
    ['http://[::1]:8800', '[::1]:8800', true, false],
    ['unix:/run/pipe.sock', '/run/pipe.sock', true, false],
    ['http://den:8800/', 'den:8800', false, true],
    ['http://127.0.0.1.example/', '127.0.0.1.example', false, true],
    ['https://den:8800/', 'den:8800', false, false],
    ['https://den/pipe/', 'den/pipe', false, false],
  ])('says how safe it is: %s', (text, name, local, readable) => {
    const address = read(text)
    expect([serverName(address), isLocal(address), isReadable(address)]).toEqual([name, local, readable])
  })
})
