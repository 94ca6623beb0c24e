import { describe, expect, it } from 'vitest'
import { reduce } from '../../../src/ink/reduce/reduce.ts'
import type { ScreenEvent } from '../../../src/ink/reduce/screen-event.ts'
import { Window, type WindowSigns } from '../../../src/ink/tty/window-size.ts'
import { noUsage } from '../../../src/usage.ts'
import { asks, emptyScreen, fold, said, type Unstamped } from '../conversation.ts'

const all = { title: true, progress: true, notify: 'osc9', place: 'ledger' } as const
const away = '\u001b[O'

/** Opens a window whose screen follows events; `written` returns what it wrote since it was last called. */
function openWindow(signs: WindowSigns = all, name: () => string | undefined = () => undefined) {
  let bytes = ''
  let screen = emptyScreen()
  const write = (more: string) => {
    bytes += more
  }
  const window = new Window({ signs, name, write })
  const show = () => window.show({ screen, finished: [] })
  bytes += window.take()
  show()
  const written = () => {
    const told = bytes.replaceAll('\u001b\\', '·').replaceAll('\u001b', '^')
    bytes = ''
    return told
  }
  return {
    window,
    written,
    see: (events: readonly Unstamped[], at = 1_000) => {
      screen = fold(screen, events, at)
      show()
    },
    tell: (event: ScreenEvent) => {
      screen = reduce(screen, event)
      show()
    },
  }
}

const end = (stopReason: 'end_turn' | 'error' = 'end_turn'): Unstamped => ({
  type: 'turn_end',
  stopReason,
  rounds: 1,
  usage: noUsage,
})

describe('the window', () => {
  it('is named after its folder, then after the conversation, and gets its title back', () => {
    let name: string | undefined
    const { window, written, see } = openWindow({ title: true, place: 'ledger' }, () => name)
    expect(written()).toBe('^[22;0t^]0;pipe · ledger·')
    name = 'Fix the parser'
    see([said('go')])
    expect(written()).toBe('^]0;✳ pipe · Fix the parser·')
    see([asks('rm x')])
    expect(written()).toBe('^]0;? pipe · Fix the parser·')
    see([end()])
    expect(written()).toBe('^]0;pipe · Fix the parser·')
    expect(window.give()).toBe('\u001b]0;\u001b\\\u001b[23;0t')
    expect(window.give()).toBe('')
  })

  it('writes nothing while nothing changes', () => {
    const { written, see, tell } = openWindow()
    see([said('go')])
    written()
    see([{ type: 'text_delta', id: 'text_1', delta: 'Hi.' }])
    for (let now = 2_000; now < 9_000; now += 1_000) tell({ type: 'tick', now })
    expect(written()).toBe('')
  })

  it('takes no control character into its title, and bounds it', () => {
    const hostile = `a\u001b]0;b\u0007\u009dc\u202e${'long '.repeat(100)}`
    const { written } = openWindow({ title: true }, () => hostile)
    expect(written()).toMatch(/^\^\[22;0t\^\]0;pipe · a \]0;b c(long ?)+…·$/)
  })

  it('shows progress while it works, a pause while it asks, a failure until a key, and nothing at the end', () => {
    const { window, written, see, tell } = openWindow({ progress: true })
    see([said('go')])
    expect(written()).toBe('^]9;4;3;0·')
    see([asks('rm x')])
    expect(written()).toBe('^]9;4;4;100·')
    see([end('error')], 3_000)
    expect(written()).toBe('^]9;4;2;100·')
    tell({ type: 'pressed', at: 4_000 })
    expect(written()).toBe('^]9;4;0;0·')
    expect(window.give()).toBe('\u001b]9;4;0;0\u001b\\')
  })

  it('is set up again after it was given back, and writes nothing meanwhile', () => {
    const { window, written, see } = openWindow()
    see([said('go')])
    window.give()
    written()
    see([end()], 2_000)
    expect(written()).toBe('')
    see([said('on')], 3_000)
    expect(window.take().replaceAll('\u001b\\', '·').replaceAll('\u001b', '^')).toBe(
      '^[22;0t^]0;✳ pipe · ledger·^[?1004h^]9;4;3;0·',
    )
  })
})

describe('a notification', () => {
  it.each([
    [{ notify: 'osc9' }, '^]9;Done in 59 s·'],
    [{ notify: 'osc777' }, '^]777;notify;pipe;Done in 59 s·'],
    [{ notify: 'bell' }, '\u0007'],
    [{}, ''],
  ] as const)('of a long turn with %j is %j', (signs, bytes) => {
    const { window, written, see } = openWindow(signs)
    see([said('go')])
    window.hear(away)
    written()
    see([end()], 60_000)
    expect(written()).toBe(bytes)
  })

  it('comes only while the user looks elsewhere, and after a long turn', () => {
    const { window, written, see } = openWindow({ notify: 'osc9' })
    see([said('go')])
    written()
    see([end()], 60_000)
    expect(written()).toBe('')
    window.hear(away)
    see([said('go')], 61_000)
    see([end()], 63_000)
    expect(written()).toBe('')
    window.hear('\u001b[I')
    see([said('go')], 64_000)
    see([end('error')], 90_000)
    expect(written()).toBe('')
  })

  it('names the question, and that of a task or an elf as well', () => {
    const { window, written, see, tell } = openWindow({ notify: 'osc777' })
    window.hear(away)
    see([said('go')])
    written()
    const question = asks('rm x')
    const { interaction } = question
    const display = { ...interaction.display, title: 'Run\u001b[2J it; or not?' }
    see([{ ...question, interaction: { ...interaction, display } }])
    expect(written()).toBe('^]777;notify;pipe;Asking: Run [2J it, or not?·')
    tell({ type: 'asked', interaction, asker: { type: 'elf' } })
    expect(written()).toBe('^]777;notify;pipe;Asking: Allow bash?·')
    tell({ type: 'status', status: { waitingTasks: 1 } })
    expect(written()).toMatch(/Asking: /)
    tell({ type: 'status', status: { waitingTasks: 1 } })
    expect(written()).toBe('')
  })
})
