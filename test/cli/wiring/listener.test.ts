import { describe, expect, it } from 'vitest'
import { findListener, listenersOn } from '../../../src/cli/wiring/listener.ts'
import { isLoopback } from '../../../src/machine/loopback.ts'
import { serve } from '../../support/servers/web-server.ts'

/** Output of `/proc/net/tcp`: 127.0.0.1:11434 of uid 1000, 0.0.0.0:11434 of 998, a connection to it of 0, and port 80 of 0. */
const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:2CAA 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 34567 1 0000000000000000 100 0 0 10 0
   1: 00000000:2CAA 00000000:0000 0A 00000000:00000000 00:00000000 00000000   998        0 34568 1 0000000000000000 100 0 0 10 0
   2: 0100007F:2CAA 0100007F:A1B2 01 00000000:00000000 00:00000000 00000000     0        0 34569 1 0000000000000000 20 4 30 10 -1
   3: 0100007F:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 34570 1 0000000000000000 100 0 0 10 0
`

describe('the listeners on a port', () => {
  it('are listed with their users, without connections', () => {
    expect(listenersOn(11434, table)).toEqual([1000, 998])
    expect(listenersOn(80, table)).toEqual([0])
    expect(listenersOn(2222, table)).toEqual([])
    expect(listenersOn(80, '')).toEqual([])
  })

  it.runIf(process.platform === 'linux')('are looked up on this machine', async () => {
    const { url } = await serve((_, response) => response.end())
    const uid = process.getuid?.() ?? 0
    expect(findListener(url, { platform: 'linux', uid })).toEqual({ owner: 'own' })
    expect(findListener(url, { platform: 'linux', uid: uid + 1 })).toEqual({ owner: 'other', uid })
    expect(findListener('http://127.0.0.1:1', { platform: 'linux', uid })).toEqual({ owner: 'unknown' })
  })
})

describe('an address', () => {
  it.each([
    'http://127.0.0.1:11434',
    'http://localhost/v1',
    'http://127.8.0.1',
    'http://[::1]:1/',
    'http://[::ffff:127.0.0.1]:1',
    'http://0.0.0.0:80',
    'http://llm.localhost',
  ])('%s is on loopback', (url) => {
    expect(isLoopback(url)).toBe(true)
  })

  it.each(['http://10.0.0.1', 'https://localhost.example.com', 'http://[::2]', 'http://127.example.com'])(
    '%s is not',
    (url) => {
      expect(isLoopback(url)).toBe(false)
    },
  )
})
