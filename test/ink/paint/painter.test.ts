import { expect, it } from 'vitest'
import { Display } from '../../../src/ink/paint/display.ts'
import { Painter } from '../../../src/ink/paint/painter.tsx'
import { Store } from '../../../src/ink/store.ts'
import { createHandClock } from '../../support/clocks/hand-clock.ts'
import { countingIds } from '../../support/messages/ids.ts'
import { delta, emptyScreen, said, type Unstamped } from '../conversation.ts'

const agentId = countingIds().agent()
const paragraph =
  'The parser reads one token at a time and keeps a small stack of open nodes, so memory stays bound.\n\n'

/** Opens a screen of 120 by 40 whose painter counts the bytes that a terminal gets, which adds a carriage return to each line. */
function openScreen() {
  const clock = createHandClock()
  const blank = emptyScreen({ columns: 120, rows: 40 })
  const screen = { ...blank, status: { ...blank.status, branch: undefined } }
  let bytes = 0
  const count = (written: string) => {
    bytes += Buffer.byteLength(written.replaceAll('\n', '\r\n'))
  }
  const painter = new Painter({ stdout: process.stdout, clock, write: count })
  const store = new Store(screen, clock)
  store.subscribe(new Display(screen, { painter, clock, isReady: () => true }).show)
  let seq = 0
  const send = (event: Unstamped) =>
    store.dispatch({ type: 'agent', event: { ...event, agentId, seq: ++seq }, at: clock.monotonic() })
  return { clock, store, painter, send, written: () => bytes }
}

it('writes at most 13 bytes for a delta of 4 at 500 a second, everything around the text included', () => {
  const { clock, store, painter, send, written } = openScreen()
  send(said('go'))
  clock.advance(100)
  const before = written()
  const deltas = 2_000
  for (let sent = 0; sent < deltas; sent++) {
    const at = (sent * 4) % 100
    send(delta(paragraph.slice(at, at + 4)))
    clock.advance(2)
    if (clock.monotonic() % 80 === 0) store.show()
    if (sent % 60 === 0) store.tick(clock.monotonic())
  }
  const each = (written() - before) / deltas
  painter.close()
  expect(each).toBeGreaterThan(4)
  expect(each).toBeLessThanOrEqual(13)
})
