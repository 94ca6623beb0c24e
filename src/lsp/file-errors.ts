import type { Clock } from '../clock.ts'
import { PipeError } from '../error.ts'
import { isJsonObject, type JsonValue } from '../json-value.ts'
import { type CleanMessage, type FileError, readCompilerErrors, readErrors } from './file-error.ts'
import type { OpenDocument, PublishedErrors } from './open-documents.ts'
import { ServerRefusal } from './protocol-link.ts'
import { compilerCommand, type StartedServer } from './server-start.ts'

/** Takes what a server publishes. */
export type PublishedNews = (published: PublishedErrors) => void

export interface ErrorsOptions {
  readonly server: StartedServer
  readonly clock: Clock
  readonly clean: CleanMessage
  readonly signal: AbortSignal
  /** Sets who hears what is published from now on. */
  readonly watch: (news: PublishedNews | undefined) => void
}

/** The server has something else to do first, and is to be asked again. */
const askAgain: readonly number[] = [-32_801, -32_802]
/** Time in ms until then, and without news after which a server that names no version has said all. */
const pause = { again: 200, settled: 300 }

/** Asks for the errors of a file whose text the server has. Waits until it knows them. Throws `tool`, `aborted`. */
export async function errorsOf(
  document: OpenDocument,
  options: ErrorsOptions,
): Promise<readonly FileError[]> {
  const { clean, server } = options
  switch (server.source) {
    case 'pull': {
      const answer = await patiently(document, options)
      return readErrors(isJsonObject(answer) ? answer['items'] : undefined, clean)
    }
    case 'compiler':
      return [
        ...(await compilerErrors('syntacticDiagnosticsSync', document, options)),
        ...(await compilerErrors('semanticDiagnosticsSync', document, options)),
      ]
    case 'publish':
      return publishedErrors(document, options)
  }
}

async function patiently(
  { uri }: OpenDocument,
  { server, clock, signal }: ErrorsOptions,
): Promise<JsonValue> {
  for (;;) {
    try {
      return await server.link.request('textDocument/diagnostic', { textDocument: { uri } }, signal)
    } catch (error) {
      if (!(error instanceof ServerRefusal) || !askAgain.includes(error.code)) throw error
      await clock.sleep(pause.again, signal)
    }
  }
}

async function compilerErrors(
  command: string,
  { uri }: OpenDocument,
  { server, signal, clean }: ErrorsOptions,
): Promise<readonly FileError[]> {
  const params = { command: compilerCommand, arguments: [command, { file: uri }] }
  const answer = await server.link.request('workspace/executeCommand', params, signal)
  return readCompilerErrors(isJsonObject(answer) ? answer['body'] : undefined, clean)
}

/** Waits until errors of the text are published: of its version, or the last ones before a pause if no version is named. */
function publishedErrors(
  document: OpenDocument,
  { clock, signal, watch, server }: ErrorsOptions,
): Promise<readonly FileError[]> {
  return new Promise((resolve, reject) => {
    const stop = AbortSignal.any([signal, server.link.ended])
    let cancel = () => {}
    const settle = (act: () => void) => {
      cancel()
      watch(undefined)
      stop.removeEventListener('abort', onAbort)
      act()
    }
    const onAbort = () =>
      settle(() => reject(new PipeError('tool', server.link.reason ?? 'the work was interrupted')))
    const hear = ({ path, version, errors }: PublishedErrors) => {
      if (path !== document.path) return
      if (version === document.version) settle(() => resolve(errors))
      if (version !== undefined) return
      cancel()
      cancel = clock.after(pause.settled, () => settle(() => resolve(errors)))
    }
    if (stop.aborted) return onAbort()
    stop.addEventListener('abort', onAbort, { once: true })
    watch(hear)
    if (document.published !== undefined) hear(document.published)
  })
}
