import { describe, expect, it } from 'vitest'
import { hasCode } from '../src/error.ts'
import { type Interaction, type InteractionResponse, validateResponse } from '../src/interaction.ts'
import { countingIds } from './support/messages/ids.ts'

const { interaction: newId } = countingIds()
const id = newId()

const question: Interaction = {
  id,
  kind: 'input',
  purpose: 'request_info',
  display: { title: 'Which port?' },
}
const permission: Interaction = {
  ...question,
  kind: 'confirm',
  purpose: 'confirm_risky_action',
  options: [
    { id: 'allow', label: 'Allow once', style: 'primary' },
    { id: 'deny', label: 'No', isDefault: true },
  ],
}

/** Returns the error message; `undefined` if the answer fits. */
function refusal(asked: Interaction, answer: Partial<InteractionResponse>): string | undefined {
  try {
    validateResponse(asked, { interactionId: id, answeredBy: 'user_local', ...answer })
    return undefined
  } catch (error) {
    if (hasCode(error, 'invalid')) return error.message
    throw error
  }
}

describe('an answer', () => {
  it('must choose one of the options', () => {
    expect(refusal(permission, { selectedOptionId: 'allow' })).toBeUndefined()
    expect(refusal(permission, { selectedOptionId: 'maybe' })).toBe('no option maybe: choose allow, deny')
    expect(refusal(question, { selectedOptionId: 'x' })).toBe('no option x: there are none')
  })

  it('may have a comment, or be empty if nothing is required', () => {
    expect(refusal(permission, { selectedOptionId: 'deny', comment: 'not on Fridays' })).toBeUndefined()
    expect(refusal(question, {})).toBeUndefined()
  })

  it('must be a choice or text if required', () => {
    const required = { ...permission, kind: 'composite', validation: { required: true } } as const
    expect(refusal(required, {})).toBe('an answer is required')
    expect(refusal(required, { inputValue: '' })).toBe('an answer is required')
    expect(refusal(required, { comment: 'later' })).toBe('an answer is required')
    expect(refusal(required, { inputValue: '8080' })).toBeUndefined()
    expect(refusal(required, { selectedOptionId: 'deny' })).toBeUndefined()
  })

  it('must match the pattern of its question', () => {
    const port = { ...question, validation: { regex: '^\\d{2,5}$' } }
    expect(refusal(port, { inputValue: '8080' })).toBeUndefined()
    expect(refusal(port, { inputValue: 'http' })).toBe('the answer does not match ^\\d{2,5}$')
  })

  it('matches by code points, not by surrogate halves', () => {
    expect(refusal({ ...question, validation: { regex: '^.$' } }, { inputValue: '🪈' })).toBeUndefined()
  })

  it('to several questions must answer each correctly', () => {
    const [first, second] = [question, { ...permission, validation: { required: true } }].map((part) => ({
      ...part,
      id: newId(),
    }))
    if (first === undefined || second === undefined) throw new Error('two parts')
    const several = { ...question, kind: 'composite', parts: [first, second] } as const
    const to = (part: Interaction, answer: Partial<InteractionResponse>) => ({
      interactionId: part.id,
      answeredBy: 'user_local',
      ...answer,
    })
    const port = to(first, { inputValue: '80' })
    expect(refusal(several, { parts: [port, to(second, { selectedOptionId: 'deny' })] })).toBeUndefined()
    expect(refusal(several, { parts: [to(second, { cancelled: true }), port] })).toBeUndefined()
    expect(refusal(several, {})).toBe('no answer to: Which port?')
    expect(refusal(several, { parts: [port, port] })).toBe('no answer to: Which port?')
    expect(refusal(several, { parts: [port, to(second, {})] })).toBe('an answer is required')
    expect(refusal(several, { cancelled: true })).toBeUndefined()
  })

  it('always fits if cancelled', () => {
    const strict = { ...permission, validation: { required: true, regex: '^x$' } }
    expect(refusal(strict, { cancelled: true })).toBeUndefined()
    expect(refusal(strict, { cancelled: true, selectedOptionId: 'maybe', inputValue: 'y' })).toBeUndefined()
    expect(refusal(strict, { cancelled: false })).toBe('an answer is required')
  })
})
