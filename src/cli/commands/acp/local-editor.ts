import type { EditorBackend, EditorConversation, EditorRequest } from '../../../acp/editor-backend.ts'
import { findDirectories } from '../../../config/directories.ts'
import type { Layer } from '../../../config/layers.ts'
import { isPipeError } from '../../../error.ts'
import { withUnsaved } from '../../../files/unsaved-files.ts'
import { readSessionId } from '../../../id.ts'
import { listStoredFiles } from '../../../json/stored-files.ts'
import type { ArtifactStore } from '../../../machine/artifact.ts'
import { readChoices } from '../../choices.ts'
import { addedFolder, realFolder } from '../../host.ts'
import { openChildren } from '../../run/child-conversation.ts'
import { driveWired } from '../../run/driven.ts'
import { ownCommands } from '../../run/message/own-commands.ts'
import { textComposer } from '../../run/wired-conversation.ts'
import type { RunContext } from '../../run-context.ts'
import { version } from '../../version.ts'
import { offerModels } from '../../wiring/model/offered-models.ts'
import { readAllSettings } from '../../wiring/read-settings.ts'
import type { Choices } from '../../wiring/run-choices.ts'
import { eraseSessions } from '../../wiring/session/erase-sessions.ts'
import { openSessions } from '../../wiring/session-records.ts'
import { knownTool } from '../../wiring/tools/known-tools.ts'
import { wire } from '../../wiring/wiring.ts'
import { requireReady } from '../serve/readiness.ts'
import { signOut } from './sign-out.ts'

/** Makes the backend of an editor, with the flags of the command for every conversation. */
export function createEditorBackend(context: RunContext): EditorBackend {
  const { host, flags } = context
  const usual = readChoices(flags, true)
  return {
    version,
    factsOf: knownTool,
    open: (request, { signal }) => open(request, { context, usual, signal }),
    models: async (cwd, { signal }) => {
      const machine = { ...host, cwd }
      const { settings } = await readAllSettings(machine, usual)
      const offers = offerModels({ machine, settings, signal })
      const found = []
      for await (const some of offers) found.push(...some)
      return found.filter(({ missing }) => missing === undefined)
    },
    sessions: (cwd, { signal }) => openSessions(host).list({ signal, ...(cwd !== undefined && { cwd }) }),
    remove: async (id, { signal }) => {
      const { sessions } = findDirectories(host.env, host.home)
      const stored = listStoredFiles(sessions)
      const found = [{ id: readSessionId(id) }]
      for await (const { conflict } of eraseSessions(found, { machine: host, stored, signal }))
        if (conflict !== undefined) throw conflict
    },
    signOut: ({ signal }) => signOut(context, usual, signal),
    missingModel: async ({ signal }) => {
      try {
        await requireReady(host, usual, signal)
        return undefined
      } catch (error) {
        if (isPipeError(error) && (error.code === 'config' || error.code === 'auth')) return error.message
        throw error
      }
    },
  }
}

interface Opening {
  readonly context: RunContext
  readonly usual: Choices
  readonly signal: AbortSignal
}

async function open(
  { cwd, added, session, servers, buffers }: EditorRequest,
  { context: { host }, usual, signal }: Opening,
): Promise<EditorConversation> {
  const warnings: string[] = []
  const machine = {
    ...host,
    cwd: realFolder(cwd, 'cwd'),
    added: added.map(addedFolder),
    warn: (line: string) => void warnings.push(line),
  }
  const choices: Choices = { ...usual, session, layers: [...usual.layers, serverLayer(servers)] }
  const folders = [machine.cwd, ...machine.added]
  const parts = { files: (disk: ArtifactStore) => withUnsaved(disk, { buffers, folders }) }
  const wired = await wire({ machine, choices, parts, signal, children: openChildren })
  return Object.assign(driveWired(wired, { machine }), {
    thinking: wired.thinking,
    warnings: [...warnings, ...wired.warnings],
    compose: textComposer(wired, machine),
    commands: () => ownCommands(wired, machine),
    title: () => wired.conversation.title,
  }) satisfies EditorConversation
}

/** Lets the servers that the user set up in the editor count like a flag. */
function serverLayer(servers: EditorRequest['servers']): Layer {
  return { source: { type: 'flag', name: 'the editor' }, settings: { mcp_servers: servers } }
}
