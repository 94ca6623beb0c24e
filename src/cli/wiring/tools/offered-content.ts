import { existsSync } from 'node:fs'
import { oneLine } from '../../../characters/one-line.ts'
import { agentFolders } from '../../../config/agents/definition-folders.ts'
import type { UnapprovedAgent } from '../../../config/agents/find-agents.ts'
import { mayImport } from '../../../config/context/approved-imports.ts'
import { importsFromOutside } from '../../../config/context/context-files.ts'
import { findHookFiles, type HookFile } from '../../../config/hooks/hook-files.ts'
import { type ConfiguredServer, findToolServers, hasServers } from '../../../config/mcp/find-servers.ts'
import { promptFolders, readOwnPrompts } from '../../../config/own-prompts.ts'
import type { PeerWish } from '../../../config/peer/peer-wishes.ts'
import {
  findProjectPrograms,
  type ProjectPrograms,
  programLines,
} from '../../../config/programs/project-programs.ts'
import { findSkills } from '../../../config/skills/find-skills.ts'
import { describeAsks, isOpenAsk } from '../../../config/skills/instruction-asks.ts'
import {
  type InstructionFolder,
  type SkillPlaces,
  skillFolders,
} from '../../../config/skills/skill-folders.ts'
import type { FolderTrust } from '../../../config/trust/folder-trust.ts'
import { type ContentKind, type ContentVerdict, contentHash } from '../../../config/trust/trust.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import type { WireContext } from '../wire-context.ts'
import { agentTools } from './known-tools.ts'
import { describeServer, serverSources } from './tool-servers.ts'

/** Lists all that a project would run or tell the model, besides its allow rules. None of it counts before it is approved as it is. */
export interface Offered {
  readonly agents: readonly OfferedAgent[]
  readonly servers: readonly ConfiguredServer[]
  readonly hooks: readonly OfferedHooks[]
  /** Files outside of the folder that its instructions import. */
  readonly imports: readonly string[]
  /** Skills and commands that ask for more than their text. */
  readonly texts: readonly OfferedText[]
  /** Looser modes and folders that its settings for another agent ask for. */
  readonly wishes: readonly PeerWish[]
  /** Files that name language servers and formatters. */
  readonly programs: readonly ProjectPrograms[]
}

/** Nothing is offered. */
export const nothingOffered: Offered = {
  agents: [],
  servers: [],
  hooks: [],
  imports: [],
  texts: [],
  wishes: [],
  programs: [],
}

/** Names the wishes of a skill or command. */
interface OfferedText {
  readonly hash: string
  /** Binds an approval to its hooks. */
  readonly hooksHash?: string | undefined
  readonly lines: readonly string[]
}

/** An agent with the hooks that run with it. */
interface OfferedAgent extends UnapprovedAgent {
  readonly lines: readonly string[]
}

/** Hooks of a file. */
interface OfferedHooks extends HookFile {
  /** Names each handler, the event at which it runs, and what of the file does not run. */
  readonly lines: readonly string[]
}

/** Finds what a project offers and the user has not approved. Loads no more than there is. Throws `aborted`. */
export async function findOffered(
  loaded: WireContext['loaded'],
  { config, cwd, home }: { readonly config: string; readonly cwd: string; readonly home: string },
  signal: AbortSignal,
): Promise<Offered> {
  const { trust } = loaded
  const folders = agentFolders({ config, home }, trust).filter(
    ({ path, project }) => project && existsSync(path),
  )
  const sources = serverSources(loaded, { config })
  const { files } = await findHookFiles({ config, trust, own: undefined })
  return {
    agents: folders.length === 0 ? [] : await unapprovedAgents(folders, signal),
    servers: hasServers(sources) ? (await findToolServers(sources)).unapproved : [],
    hooks: await Promise.all(files.filter(({ isApproved }) => !isApproved).map(withLines)),
    imports: importsFromOutside({ cwd, home, config, mayImport: (path) => mayImport(path, trust) }),
    texts: loaded.settings.skills === false ? [] : await unapprovedTexts({ ...trust, config, home }),
    wishes: loaded.peer.wishes,
    programs: (await findProjectPrograms({ config, trust })).filter(({ isApproved }) => !isApproved),
  }
}

/** Finds the skills and commands of a project that would run or change something once they are approved. */
async function unapprovedTexts({
  approved,
  ...places
}: SkillPlaces & Pick<FolderTrust, 'approved'>): Promise<readonly OfferedText[]> {
  const texts: OfferedText[] = []
  for (const { name, path, asks } of textsOf(places)) {
    const { hash, hooks, hooksHash } = asks ?? {}
    if (asks === undefined || hash === undefined || !isOpenAsk(asks, { approved })) continue
    const about = `${oneLine(name, 80)} (${path})`
    const does = describeAsks(asks).map((line) => visibleLine(`${about}: ${oneLine(line, 400)}`))
    const runs = hooks === undefined ? [] : await hookLines({ hooks, path })
    texts.push({ hash, hooksHash, lines: [...does, ...runs.map((line) => `hook ${line}`)] })
  }
  return texts
}

/** Reads the skills and commands of a project, as if it were trusted. */
function textsOf(places: SkillPlaces) {
  const trusted = { ...places, trusted: true }
  const ofProject = ({ source, path }: InstructionFolder) => source === 'project' && existsSync(path)
  return [
    ...findSkills(skillFolders(trusted).filter(ofProject)).skills,
    ...readOwnPrompts(promptFolders(trusted).filter(ofProject)).prompts,
  ]
}

async function unapprovedAgents(
  folders: ReturnType<typeof agentFolders>,
  signal: AbortSignal,
): Promise<readonly OfferedAgent[]> {
  const { findAgents } = await import('../../../config/agents/find-agents.ts')
  const { unapproved } = await findAgents(folders, { signal, tools: agentTools })
  return Promise.all(
    unapproved.map(async (agent) => {
      const { hooks, path } = agent.definition
      return { ...agent, lines: hooks === undefined ? [] : await hookLines({ hooks, path }) }
    }),
  )
}

/** Whether a project offers anything. */
export function isOffering(offered: Offered): boolean {
  return Object.values(offered).some(({ length }) => length > 0)
}

/** Leaves out what the user said no to before. */
export function undecided(
  { agents, servers, hooks, imports, texts, wishes, programs }: Offered,
  trust: Pick<FolderTrust, 'approved'>,
): Offered {
  const isOpen = (kind: ContentKind, hash: string) => trust.approved(kind, hash) === undefined
  return {
    agents: agents.filter(
      ({ hash, hooksHash, servers: own }) =>
        isOpen('agent', hash) ||
        (hooksHash !== undefined && isOpen('hooks', hooksHash)) ||
        own.some((one) => isOpen('mcp_server', one.hash)),
    ),
    servers: servers.filter(({ hash }) => isOpen('mcp_server', hash)),
    hooks: hooks.filter(({ hash }) => hash !== undefined && isOpen('hooks', hash)),
    imports: imports.filter((path) => isOpen('import', contentHash(path))),
    texts: texts.filter(
      ({ hash, hooksHash }) =>
        isOpen('skill', hash) || (hooksHash !== undefined && isOpen('hooks', hooksHash)),
    ),
    wishes: wishes.filter(({ kind, hash }) => isOpen(kind, hash)),
    programs: programs.filter(({ hash }) => isOpen('programs', hash)),
  }
}

/** Gives the same verdict on all that a project offers as it is now. */
export function offeredVerdicts(
  { agents, servers, hooks, imports, texts, wishes, programs }: Offered,
  approved: boolean,
): readonly ContentVerdict[] {
  const of = (kind: ContentKind) => (one: { readonly hash?: string }) =>
    one.hash === undefined ? [] : { kind, hash: one.hash, approved }
  const ofAgents = [...agents, ...texts].flatMap(({ hooksHash }) =>
    hooksHash === undefined ? [] : [{ kind: 'hooks', hash: hooksHash, approved } as const],
  )
  return [
    agents.flatMap(of('agent')),
    ofAgents,
    [...servers, ...agents.flatMap((agent) => agent.servers)].flatMap(of('mcp_server')),
    hooks.flatMap(of('hooks')),
    texts.flatMap(of('skill')),
    programs.flatMap(of('programs')),
    imports.map((path): ContentVerdict => ({ kind: 'import', hash: contentHash(path), approved })),
    wishes.map(({ kind, hash }): ContentVerdict => ({ kind, hash, approved })),
  ].flat()
}

async function withLines(file: HookFile): Promise<OfferedHooks> {
  return { ...file, lines: await hookLines(file) }
}

async function hookLines(file: Pick<HookFile, 'hooks' | 'path'>): Promise<readonly string[]> {
  const { readHooks } = await import('../../../hooks/read-hooks.ts')
  const { handlerText } = await import('../../../hooks/hook.ts')
  const { hooks, problems } = readHooks(file.hooks, file.path)
  const lines = hooks.map(({ event, matcher, handler }) => {
    const when = matcher === '' ? event : `${event} ${matcher}`
    return `${when}: ${handlerText(handler)} (${file.path})`
  })
  return [...lines, ...problems].map(visibleLine)
}

/** Names an agent with its file in one line. */
export function describeAgent({ definition: { name, path, description } }: UnapprovedAgent): string {
  return `${name} (${visibleLine(path)}) ${visibleLine(oneLine(description, 200))}`
}

/** Names the servers of a project with what starts or reaches them, those of one agent alone too. */
export function serverLines({ servers, agents }: Pick<Offered, 'servers' | 'agents'>): readonly string[] {
  const ofAgents = agents.flatMap(({ servers: own, definition: { name } }) =>
    own.map((server) => `${describeServer(server)} (for the agent ${name} alone)`),
  )
  return [...servers.map(describeServer), ...ofAgents]
}

/** Names the folders or modes that settings of a project ask for. */
export function wishLines(wishes: readonly PeerWish[], kind: PeerWish['kind']): readonly string[] {
  return [...new Set(wishes.flatMap((wish) => (wish.kind === kind ? [visibleLine(wish.text)] : [])))]
}

/** Names the language servers and formatters of a project with what starts them. */
export function shownPrograms(programs: Offered['programs']): readonly string[] {
  return programs.flatMap(programLines).map(visibleLine)
}

/** Lists what a project offers by its kind, with the very lines that would be run or reached. */
export function describeOffered({
  agents,
  servers,
  hooks,
  imports,
  texts,
  wishes,
  programs,
}: Offered): Readonly<Record<string, readonly string[]>> {
  const lines = {
    'MCP servers that it would start or reach': serverLines({ servers, agents }),
    'hooks, which run outside the sandbox': [...agents, ...hooks].flatMap(({ lines }) => lines),
    'language servers and formatters, which run outside the sandbox after edits': shownPrograms(programs),
    'agents, whose files instruct the model': agents.map(describeAgent),
    'skills and commands, and what they do when you call them': texts.flatMap(({ lines }) => lines),
    'files outside the folder that its instructions import': imports.map(visibleLine),
    'other folders where it would work': wishLines(wishes, 'folders'),
    'the permission mode that it would set': wishLines(wishes, 'permissions.mode'),
  }
  const found = Object.entries(lines).filter(([, list]) => list.length > 0)
  return Object.fromEntries(found)
}

/** Names that are shown of the texts of a project. */
const mostNames = 20

/** Names the skills and commands of a project, which the model or the user can use once the folder is trusted. */
export function describeTexts(places: SkillPlaces): readonly string[] {
  const names = textsOf(places).map(({ name }) => visibleLine(oneLine(name, 80)))
  const more = names.length - mostNames
  return [...names.slice(0, mostNames), ...(more > 0 ? [`and ${more} more`] : [])]
}
