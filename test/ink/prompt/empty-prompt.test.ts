import { describe, expect, it } from 'vitest'
import { drawEmptyPrompt } from '../../../src/ink/prompt/empty-prompt.ts'
import { reduce } from '../../../src/ink/reduce/reduce.ts'
import type { Screen, Status } from '../../../src/ink/state.ts'
import { emptyScreen, fold, said } from '../conversation.ts'
import { plain } from '../screen-text.ts'

const shown = (screen: Screen) => plain([drawEmptyPrompt(screen)])[0]?.replace(/ {2,}/, '  ')
const at = (columns: number, status: Partial<Status> = {}) =>
  reduce(emptyScreen({ columns, rows: 20 }), { type: 'status', status })

describe('an empty prompt', () => {
  it('says what can be written, as far as it has room', () => {
    expect(shown(at(80))).toBe('› Ask anything · @ files · / commands  ? keys')
    expect(shown(at(40))).toBe('› Ask anything · @ files · / commands')
    expect(shown(at(20))).toBe('› Ask anything')
    expect(shown(at(10))).toBe('›')
    expect(shown(at(1))?.length).toBe(1)
  })

  it('follows the folder: what is to be built, or what was begun', () => {
    expect(shown(at(80, { isEmptyFolder: true }))).toContain('Say what to build ·')
    expect(shown(at(80, { earlier: 'Fix the parser' }))).toContain('/resume continues “Fix the parser”')
    expect(shown(at(40, { earlier: 'Fix the parser' }))).toContain('/ commands')
  })

  it('follows the conversation', () => {
    const begun = fold(at(80, { earlier: 'x' }), [said('hi')])
    expect(shown(begun)).toBe('› Add to this turn…')
    const ended = reduce(begun, { type: 'settled' })
    const undoing = reduce(ended, { type: 'task_begun', doing: 'undoing', at: 0 })
    expect(shown(undoing)).toBe('› Sent once pipe is done undoing…')
    expect(shown(reduce(undoing, { type: 'resized', size: { columns: 30, rows: 20 } }))).toBe(
      '› Sent once this is done…',
    )
    const more = '› Ask for more · @ files · / commands  ? keys'
    expect(shown(ended)).toBe(more)
    expect(shown(reduce(ended, { type: 'noted', level: 'info', text: 'mode: plan' }))).toBe(more)
  })
})
