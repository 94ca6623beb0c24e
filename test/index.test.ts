import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as audit from '../src/cli/library/audit/audit-exports.ts'
import * as mock from '../src/cli/library/mock/mock-exports.ts'
import * as tasks from '../src/cli/library/tasks/task-exports.ts'
import * as vectors from '../src/cli/library/vectors/vector-exports.ts'
import * as suites from '../src/conformance/suites.ts'
import * as library from '../src/index.ts'

it('exports what a program may build on, and nothing else', () => {
  expect(Object.keys(library).sort()).toEqual([
    'Accumulator',
    'PipeError',
    'canonicalMessage',
    'canonicalProvider',
    'combine',
    'complete',
    'contentLength',
    'decodeCanonicalMessage',
    'defineProvider',
    'defineStore',
    'encodeCanonicalMessage',
    'errorResult',
    'exitCodes',
    'isAgentId',
    'isEmptyMessage',
    'isInteractionId',
    'isMessageId',
    'isPipeError',
    'isSessionId',
    'isTaskId',
    'linesIn',
    'localUser',
    'newAgentId',
    'newInteractionId',
    'newMessageId',
    'newSessionId',
    'newTaskId',
    'newToolCallId',
    'openConversation',
    'openProvider',
    'openSessionStore',
    'readAgentId',
    'readInteractionId',
    'readMessageId',
    'readSessionId',
    'readTaskId',
    'sentinelError',
    'startElf',
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
  expect(Object.keys(audit).sort()).toEqual(['auditDecisions', 'openAuditLog', 'toLog'])
  expect(Object.keys(tasks).sort()).toEqual([
    'boardProjection',
    'defaultSchedulerPolicy',
    'eventFormat',
    'isOver',
    'nextStatus',
    'openBoard',
    'openTaskStore',
    'overtaken',
    'readyTasks',
    'reduceTask',
    'requireProjectionName',
    'runWorker',
  ])
  expect(Object.keys(vectors).sort()).toEqual([
    'openEmbedder',
    'openRecall',
    'openVectorStore',
    'requireDimensions',
    'unitVector',
  ])
  expect(Object.keys(mock).sort()).toEqual(['mockProvider', 'mockTool'])
  expect(Object.keys(suites).sort()).toEqual([
    'artifactStoreConformance',
    'auditLogConformance',
    'bundlesConformance',
    'claimsConformance',
    'conversationConformance',
    'elfConformance',
    'embedderConformance',
    'eventStoreConformance',
    'executorConformance',
    'providerConformance',
    'storeConformance',
    'vectorStoreConformance',
  ])
})

it('builds each entry point of the package, with its types', async () => {
  const root = join(import.meta.dirname, '..')
  const read = async (file: string) => JSON.parse(await readFile(join(root, file), 'utf8'))
  const entries = Object.entries<string>(await read('scripts/library-entries.json'))
  const { exports } = await read('package.json')
  const built = entries.map(([name, file]) => [
    name === 'index' ? '.' : `./${name}`,
    { types: file.replace(/^src(.*)\.ts$/, './dist/types$1.d.ts'), default: `./dist/${name}.js` },
  ])
  expect(exports).toEqual({ ...Object.fromEntries(built), './package.json': './package.json' })
  const { files } = await read('tsconfig.build.json')
  expect(files).toEqual([...entries.map(([, file]) => file), 'src/builtin/markdown.d.ts'])
})
