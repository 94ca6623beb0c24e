import { describe, expect, it } from 'vitest'
import { askAbout, questionAbout, readVerdict } from '../../src/hooks/ask-about.ts'
import { readAnswer } from '../../src/hooks/hook-answer.ts'
import { printable } from '../../src/terminal/printable.ts'
import { hooksOf } from './runner.ts'

describe('a question about an event', () => {
  it('has the event in the place for it, or at its end', () => {
    const event = { prompt: "$& $' $ARGUMENTS" }
    expect(questionAbout('Is $ARGUMENTS fine? $ARGUMENTS', event)).toBe(
      `Is ${JSON.stringify(event)} fine? ${JSON.stringify(event)}`,
    )
    expect(questionAbout('Is it fine?', event)).toBe(`Is it fine?\n\n${JSON.stringify(event)}`)
  })

  it('is asked with the model that the hook names, or by an agent', async () => {
    const asked: object[] = []
    const by = (who: string) => (question: object) => Promise.resolve(`${asked.push({ who, ...question })}`)
    const ports = { ask: by('model'), askAgent: by('agent'), signal: new AbortController().signal }
    await askAbout({ type: 'prompt', prompt: 'Well?', model: 'a/b' }, {}, ports)
    await askAbout({ type: 'agent', prompt: 'Well?' }, {}, ports)
    const systemPrompt = expect.stringContaining('{"ok": true}')
    const text = 'Well?\n\n{}'
    expect(asked).toEqual([
      { who: 'model', systemPrompt, text, model: 'a/b' },
      { who: 'agent', systemPrompt, text, model: undefined },
    ])
  })
})

describe('the reply of a model', () => {
  it.each([
    ['{"ok": true}', { ok: true }],
    ['```json\n{"ok": false, "reason": "no"}\n```', { ok: false, reason: 'no' }],
    ['{"ok": "yes"}', undefined],
    ['{"ok": false, "reason": 7}', undefined],
    ['Yes.', undefined],
    ['', undefined],
  ])('%j is read', (reply, verdict) => {
    expect(readVerdict(reply)).toEqual(verdict)
  })

  it('refuses, lets go on, or is no answer', () => {
    const [hook] = hooksOf({ Stop: [{ hooks: [{ type: 'prompt', prompt: 'Is all done?' }] }] })
    if (hook === undefined) throw new Error('there is no hook')
    const read = (stdout: string) =>
      readAnswer(hook, { exitCode: 0, stdout, stderr: '', timedOut: false, durationMs: 1 }, printable)
    expect(read('{"ok": true}')).toEqual({ notices: [], failed: false })
    expect(read('{"ok": false, "reason": " no tests "}').block).toBe('no tests')
    expect(read('{"ok": false}').block).toBe('the hook ask a model: Is all done? refuses it')
    expect(read('Sure!').notices).toEqual([
      'the hook ask a model: Is all done? (Stop) failed: the model did not answer with {"ok": …, "reason": …}',
    ])
  })
})
