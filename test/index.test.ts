import { expect, it } from 'vitest'
import * as suites from '../src/conformance/suites.ts'
import * as library from '../src/index.ts'

it('exports what a program may build on, and nothing else', () => {
  expect(Object.keys(library).sort()).toEqual([
    'PipeError',
    'combine',
    'complete',
    'defineProvider',
    'defineStore',
    'errorResult',
    'exitCodes',
    'isPipeError',
    'isSessionId',
    'localUser',
    'openConversation',
    'openProvider',
    'openSessionStore',
    'readSessionId',
    'summaryOf',
    'textContent',
    'textResult',
    'throwIfAborted',
    'toolCalls',
    'validateMessage',
    'validateRequest',
    'validateResponse',
  ])
  expect(Object.keys(suites).sort()).toEqual([
    'executorConformance',
    'providerConformance',
    'storeConformance',
  ])
})
