import { expect, it } from 'vitest'
import * as suites from '../src/conformance/suites.ts'
import * as library from '../src/index.ts'

it('exports what a program may build on, and nothing else', () => {
  expect(Object.keys(library).sort()).toEqual([
    'PipeError',
    'canonicalMessage',
    'canonicalProvider',
    'combine',
    'complete',
    'contentLength',
    'defineProvider',
    'defineStore',
    'encodeCanonicalMessage',
    'errorResult',
    'exitCodes',
    'isEmptyMessage',
    'isPipeError',
    'isSessionId',
    'localUser',
    'openConversation',
    'openProvider',
    'openSessionStore',
    'readSessionId',
    'sentinelError',
    'summaryOf',
    'textContent',
    'textResult',
    'throwIfAborted',
    'toolCalls',
    'validateCanonicalMessage',
    'validateMessage',
    'validateRequest',
    'validateResponse',
    'validateTransition',
  ])
  expect(Object.keys(suites).sort()).toEqual([
    'executorConformance',
    'providerConformance',
    'storeConformance',
    'vectorStoreConformance',
  ])
})
