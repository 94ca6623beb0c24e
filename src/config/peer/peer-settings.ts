import { dirname, join, relative } from 'node:path'
import { enumerate } from '../../characters/enumerate.ts'
import { isPipeError } from '../../error.ts'
import { lookThrough } from '../../files/look.ts'
import { followed } from '../../files/real-path.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json-value.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { FindTool } from '../agents/agent-field.ts'
import type { Layer } from '../layers.ts'
import { isLooser, readPermissionMode } from '../permission-mode.ts'
import { readJsonWithComments, readSettingsText } from '../settings-document.ts'
import { holds } from '../trust/project-root.ts'
import { spelledField } from './import-offer.ts'
import { limitFields, mayForbidBypass, type PeerLimits, readPeerLimits } from './peer-limits.ts'
import { changing, readPeerRule } from './peer-rules.ts'
import { folderWishes, modeWish, type PeerWish, type WishSources } from './peer-wishes.ts'

/** Holds the settings of another agent that count. */
export interface PeerSettings extends PeerLimits {
  /** The user's, which limits as the user's own settings do. */
  readonly own: readonly Layer[]
  readonly project: readonly Layer[]
  /** Allow rules of the project that the user has not approved. */
  readonly proposed: readonly Layer[]
  /** Approved folders besides the project, as real paths. */
  readonly folders: readonly string[]
  /** Looser modes and folders that the user has not approved. */
  readonly wishes: readonly PeerWish[]
  /** Rules that are taken otherwise than they are written, and files that cannot be read. */
  readonly warnings: readonly string[]
  /** Say which rules were taken, a line a file. */
  readonly taken: readonly string[]
  /** Say what has no effect, a line a file. */
  readonly ignored: readonly string[]
}

export interface PeerSources extends WishSources {
  readonly findTool: FindTool
  /** Whether the user approved these allow rules of the project. */
  readonly approves: (rules: readonly string[]) => boolean
  /** The user's decision on a mode or folder; `undefined` if there is none. */
  readonly decided: (wish: PeerWish) => boolean | undefined
}

const ownFile = '.claude/settings.json'
const projectFiles = [
  { type: 'project', file: '.claude/settings.json' },
  { type: 'local', file: '.claude/settings.local.json' },
] as const

/** Fields that other parts of this program read, or that say nothing about a run. */
const readElsewhere = new Set(['$schema', 'hooks', 'permissions'])

type Kind = 'user' | 'project' | 'local'
type Collected = { -readonly [K in keyof PeerSettings]: PeerSettings[K][number][] }

/** Reads another agent's settings: deny and ask rules, a stricter mode, and what else the user approved. Never throws for what is in them. */
export async function readPeerSettings(sources: PeerSources): Promise<PeerSettings> {
  const { root, home } = sources
  const into: Collected = {
    own: [],
    project: [],
    proposed: [],
    folders: [],
    wishes: [],
    warnings: [],
    taken: [],
    ignored: [],
    noBypass: [],
    noServers: [],
  }
  const own = join(home, ownFile)
  await readFile({ type: 'user', name: own }, sources, into)
  for (const folder of new Set([root, sources.cwd]))
    for (const { type, file } of projectFiles) {
      const name = join(folder, file)
      // The home folder may be the project.
      if (followed(name) !== followed(own)) await readFile({ type, name }, sources, into)
    }
  into.ignored.push(...unreadBelow(sources))
  return into
}

/** Whether a file is that of the folder of the run, below the project's root. It only restricts: approvals are for files of the root. */
function isBelow({ type, name }: Taking['source'], { root }: WishSources): boolean {
  return type !== 'user' && dirname(dirname(name)) !== root
}

/** Names what is read only in the root of a project, and by another agent where it is started: servers, which are approved there. */
function unreadBelow({ root, cwd }: WishSources): readonly string[] {
  const path = join(cwd, '.mcp.json')
  if (cwd === root || lookThrough(path) === undefined) return []
  const remedy = 'mkdir .pipe makes this folder a project of its own'
  return [`${relative(root, path)}: not read, because the project is ${root}; ${remedy}`]
}

async function readFile(
  source: { readonly type: Kind; readonly name: string },
  sources: PeerSources,
  into: Collected,
): Promise<void> {
  const { type, name } = source
  if (type !== 'user' && !holds(sources.root, name)) {
    into.warnings.push(`${name}: ignored: it leads out of the project`)
    return
  }
  try {
    const document = await readJsonWithComments(name)
    if (document === undefined) return
    if (isJsonObject(document)) take(document, { source, sources, into })
    else into.warnings.push(`${name}: its rules do not apply: expected an object`)
  } catch (error) {
    if (!isPipeError(error)) throw error
    const text = textOf(name)
    if (text === undefined || mayForbidBypass(text)) into.noBypass.push(source)
    const rules = rulesBehind(text)
    if (rules.length > 0)
      into[type === 'user' ? 'own' : 'project'].push({ source, settings: { permissions: { ask: rules } } })
    const instead = rules.length === 0 ? '' : `; pipe asks about every use of ${rules.join(', ')} instead`
    into.warnings.push(
      `${error.message}; its rules${type === 'user' ? '' : ' and hooks'} do not apply${instead}`,
    )
  }
}

/** Lists the tools to ask about because a file that cannot be read may restrict them. */
function rulesBehind(text: string | undefined): string[] {
  const restricts = text === undefined || /"(deny|ask)"|\\u/.test(text)
  if (!restricts) return []
  return text === undefined || /Read|Grep|Glob|Skill|\\u/.test(text) ? ['Read', ...changing] : [...changing]
}

/** Reads a file as text, whether or not it is JSON; `undefined` if that fails. */
function textOf(name: string): string | undefined {
  try {
    return readSettingsText(name)
  } catch (error) {
    if (!isPipeError(error)) throw error
    return undefined
  }
}

interface Taking {
  readonly source: { readonly type: Kind; readonly name: string }
  readonly sources: PeerSources
  readonly into: Collected
}

function take(document: JsonObject, { source, sources, into }: Taking): void {
  const { name, type } = source
  const shortName = type === 'user' ? `~/${ownFile}` : relative(sources.root, name)
  const { permissions = {} } = document
  const fields = isJsonObject(permissions) ? permissions : { deny: permissions }
  const read = (behavior: 'deny' | 'ask' | 'allow') =>
    rulesOf(fields[behavior], behavior, { name, sources, into })
  const [deny, ask, allow] = [read('deny'), read('ask'), read('allow')]
  const mode = readPermissionMode(fields['defaultMode'] ?? '')
  const isProjects = type !== 'user' && !isBelow(source, sources)
  const wanted = isProjects ? modeWish(mode, sources) : undefined
  // Another file of the project may have changed it before.
  const modes = into.project.flatMap(({ settings }) => settings.permissions?.mode ?? [])
  const before = modes.at(-1) ?? sources.mode
  const isStricter = type !== 'user' && mode !== undefined && mode !== before && !isLooser(mode, before)
  const takesMode = isStricter || (wanted !== undefined && sources.decided(wanted) === true)
  const folders = isProjects ? folderWishes(fields['additionalDirectories'], sources) : undefined
  const added = takeWishes([wanted, ...(folders?.wishes ?? [])], shortName, { sources, into })
  for (const fault of folders?.faults ?? [])
    into.ignored.push(`${shortName}: additionalDirectories: ${fault}`)
  const isApproved = isProjects && allow.sure.length > 0 && sources.approves(allow.sure)
  if (isProjects && allow.sure.length > 0 && !isApproved) {
    into.proposed.push({ source, settings: { permissions: { allow: [...allow.sure] } } })
    into.ignored.push(`${shortName}: allow rules wait for pipe trust: ${allow.sure.length}`)
  }
  const rules = {
    deny: deny.sure,
    ask: [...new Set([...ask.sure, ...ask.guessed, ...deny.guessed])],
    allow: isApproved ? allow.sure : [],
  }
  const layer: Layer = {
    source,
    settings: {
      permissions: {
        ...Object.fromEntries(Object.entries(rules).filter(([, list]) => list.length > 0)),
        ...omitUndefined({ mode: takesMode ? mode : undefined }),
      },
    },
  }
  const counts = [
    ...Object.entries(rules).flatMap(([behavior, { length }]) =>
      length > 0 ? [`${length} ${behavior}`] : [],
    ),
    ...(takesMode ? [`mode ${mode}`] : []),
  ]
  const { noBypass, noServers } = readPeerLimits(document, fields, source)
  into.noBypass.push(...noBypass)
  into.noServers.push(...noServers)
  if (noBypass.length > 0) into.taken.push(`${shortName} forbids the mode bypass`)
  if (noServers.length > 0)
    into.taken.push(`servers of .mcp.json that ${shortName} turns off: ${shown(noServers)}`)
  if (added.length > 0) into.taken.push(`folders of ${shortName} are added: ${added.join(', ')}`)
  if (counts.length > 0) {
    into[type === 'user' ? 'own' : 'project'].push(layer)
    into.taken.push(`rules of ${shortName} apply: ${counts.join(', ')}`)
  }
  const without = fieldsWithoutEffect(document, fields, [
    ...['deny', 'ask', ...(type === 'user' || isProjects ? ['allow'] : [])],
    ...(isProjects ? ['additionalDirectories'] : []),
    ...(isStricter || wanted !== undefined || (type !== 'user' && mode === before) ? ['defaultMode'] : []),
  ])
  const waiting = type === 'user' ? importable(document, fields) : []
  if (waiting.length > 0)
    into.ignored.push(
      `${shortName}: no effect here, but pipe import-config claude copies them: ${waiting.join(', ')}`,
    )
  if (type !== 'user' && !isProjects && document['hooks'] !== undefined) without.push('hooks')
  if (without.length > 0) into.ignored.push(`${shortName}: no effect here: ${shown(without)}`)
}

/** Takes what the user approved, and says what waits. Returns the folders that were taken. */
function takeWishes(
  wishes: readonly (PeerWish | undefined)[],
  shortName: string,
  { sources, into }: Pick<Taking, 'sources' | 'into'>,
): readonly string[] {
  const known = wishes.filter((wish) => wish !== undefined)
  const open = known.filter((wish) => sources.decided(wish) !== true)
  const added = known.flatMap((wish) => (wish.kind === 'folders' && !open.includes(wish) ? [wish.text] : []))
  into.folders.push(...added.filter((path) => !into.folders.includes(path)))
  into.wishes.push(...open)
  if (open.length === 0) return added
  const names = open.map(({ kind, text }) => (kind === 'folders' ? `the folder ${text}` : `mode ${text}`))
  const waiting = `${shortName}: not approved, so ignored: ${names.join(', ')}; pipe trust shows and approves it`
  // A user who said no is not told again.
  const isNew = open.some((wish) => sources.decided(wish) === undefined)
  into[isNew ? 'warnings' : 'ignored'].push(waiting)
  return added
}

/** Names the parts of the user's file that count only in the user's own settings. */
function importable({ hooks }: JsonObject, { allow }: JsonObject): readonly string[] {
  const rules = allow === undefined ? 0 : Array.isArray(allow) ? allow.length : 1
  const events = isJsonObject(hooks) ? Object.keys(hooks) : []
  return [
    ...(rules > 0 ? [`allow rules: ${rules}`] : []),
    ...(events.length > 0 ? [`hooks: ${shown(events)}`] : []),
  ]
}

function fieldsWithoutEffect(
  document: JsonObject,
  permissions: JsonObject,
  read: readonly string[],
): string[] {
  return [
    ...Object.keys(document).filter((field) => !readElsewhere.has(field)),
    ...Object.keys(permissions)
      .filter((field) => !read.includes(field))
      .map((field) => `permissions.${field}`),
  ].filter((field) => !limitFields.includes(field))
}

/** Names fields, none of which can forge a line. */
function shown(fields: readonly string[]): string {
  return enumerate(fields.map(spelledField), 8)
}

/** The rules of a list; those that are guessed only ask. */
interface TakenRules {
  readonly sure: readonly string[]
  readonly guessed: readonly string[]
}

/** Most rules of a list. */
const most = 1_000

function rulesOf(
  list: JsonValue | undefined,
  behavior: 'deny' | 'ask' | 'allow',
  { name, sources, into }: { readonly name: string } & Pick<Taking, 'sources' | 'into'>,
): TakenRules {
  const entries = list === undefined ? [] : Array.isArray(list) ? list : [list]
  const [sure, guessed] = [new Set<string>(), new Set<string>()]
  if (entries.length > most) into.warnings.push(`${name}: only the first ${most} ${behavior} rules apply`)
  for (const entry of entries.slice(0, most)) {
    const { rules, note, isGuess } = readPeerRule(entry, behavior, sources.findTool)
    for (const rule of rules) (isGuess === true ? guessed : sure).add(rule)
    const said = `${name}: the ${behavior} rule ${JSON.stringify(entry).slice(0, 80)} ${note}`
    if (note !== undefined)
      (rules.length > 0 || behavior !== 'allow' ? into.warnings : into.ignored).push(said)
  }
  return { sure: [...sure], guessed: [...guessed] }
}
