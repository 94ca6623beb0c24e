import { describe, expect, it } from 'vitest'
import { drawLive } from '../../../src/ink/live/live-rows.ts'
import { reduce } from '../../../src/ink/reduce/reduce.ts'
import { noUsage } from '../../../src/usage.ts'
import { asks, bashRuns, emptyScreen, fold, said, type Unstamped } from '../conversation.ts'
import { plain } from '../screen-text.ts'

const [begin, start, output] = bashRuns('call_1', 'npm test', 'ok\n')
if (begin === undefined || start === undefined || output === undefined) throw new Error('no call')
const question = asks('npm test')
const answer: Unstamped = {
  type: 'interaction_responded',
  response: { interactionId: question.interaction.id, answeredBy: 'user_me', selectedOptionId: 'allow' },
}

const stopped: Unstamped = { type: 'turn_end', stopReason: 'aborted', rounds: 1, usage: noUsage }

describe('the clock of a call', () => {
  const asked = fold(fold(emptyScreen(), [said('go'), begin, start], 1_000), [question], 3_000)
  const at = (ms: number) => ({ type: 'tick', now: ms }) as const

  it('leaves out the time that it waited for an answer', () => {
    const answered = fold(reduce(asked, at(60_000)), [answer, output], 60_000)
    const row = plain(drawLive(reduce(answered, at(64_000)))).find((one) => one.includes('bash'))
    expect(row).toMatch(/npm test +5 s$/)
  })

  it('stands still while it waits, also if the turn is stopped then', () => {
    const ended = fold(reduce(asked, at(60_000)), [stopped], 60_000)
    expect(ended.finished.find(({ type }) => type === 'tool')).toMatchObject({ durationMs: 1_998 })
  })
})
