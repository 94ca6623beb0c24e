import { describe, expect, it } from 'vitest'
import { type AgentState, nextState, validateTransition } from '../src/engine.ts'
import { isPipeError } from '../src/error.ts'
import { thrown } from './support/thrown.ts'

const states: readonly AgentState[] = ['idle', 'thinking', 'toolcall', 'reflecting']
const steps = states.flatMap((from) => states.map((to) => [from, to] as const))

function isAllowed(from: AgentState, to: AgentState): boolean {
  try {
    validateTransition(from, to)
    return true
  } catch (error) {
    if (isPipeError(error)) return false
    throw error
  }
}

describe('the states of an agent', () => {
  it('allow four steps and staying the same, out of all sixteen', () => {
    expect(steps.filter(([from, to]) => isAllowed(from, to))).toEqual([
      ['idle', 'idle'],
      ['idle', 'thinking'],
      ['thinking', 'thinking'],
      ['thinking', 'toolcall'],
      ['toolcall', 'toolcall'],
      ['toolcall', 'reflecting'],
      ['reflecting', 'idle'],
      ['reflecting', 'reflecting'],
    ])
  })

  it('report both states of a rejected step', async () => {
    expect(await thrown(() => validateTransition('thinking', 'idle'))).toMatchObject({
      name: 'PipeError',
      code: 'invalid',
      message: 'an agent cannot go from thinking to idle',
      details: { from: 'thinking', to: 'idle' },
    })
  })

  it('form one circle', () => {
    const circle = states.map((_, i) => states.slice(0, i).reduce<AgentState>(nextState, 'idle'))
    expect([...circle, nextState('reflecting')]).toEqual([...states, 'idle'])
    for (const state of states) expect(isAllowed(state, nextState(state))).toBe(true)
  })
})
