import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { oneLine } from '../characters/one-line.ts'
import { withoutTags } from '../characters/tag-characters.ts'
import { isPipeError } from '../error.ts'
import { followed } from '../files/real-path.ts'
import { systemCode } from '../files/system-error.ts'
import type { OwnPrompt } from '../frontend/own-prompt.ts'
import { readScalar, splitFrontMatter } from './agents/front-matter.ts'
import { peerPrompts } from './agents/peer-agents.ts'
import { readSettingsText } from './settings-document.ts'
import type { FolderTrust } from './trust/folder-trust.ts'
import { holds } from './trust/project-root.ts'

/** Largest file in bytes, and most files of a folder. */
const limits = { bytes: 64 * 1024, files: 100 }
/** Characters of a description in a list. */
const longest = 80

/** A folder of prompts. */
interface PromptFolder {
  readonly path: string
  readonly source: string
  /** The project that its files must not lead out of. */
  readonly root?: string
}

/**
 * Reads the prompts that are commands: the `.md` files in `commands` of the user's config folder, and those of a trusted project, also in
 * the folder of another agent. The project's hide the user's of the same name. Leaves out files that cannot be read.
 */
export function readOwnPrompts(
  config: string,
  { root, trusted }: Pick<FolderTrust, 'root' | 'trusted'>,
): readonly OwnPrompt[] {
  const user: PromptFolder = { path: join(config, 'commands'), source: 'yours' }
  const project = { source: 'of this project', root }
  const projects: readonly PromptFolder[] = ['.pipe/commands', peerPrompts].map((name) => ({
    ...project,
    path: join(root, name),
  }))
  const folders = [...(trusted === true ? projects : []), user]
  const found = new Map<string, OwnPrompt>()
  for (const folder of folders.filter((one) => one === user || followed(one.path) !== followed(user.path))) {
    for (const prompt of promptsIn(folder)) if (!found.has(prompt.name)) found.set(prompt.name, prompt)
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

function promptsIn({ path: folder, source, root }: PromptFolder): readonly OwnPrompt[] {
  return namesIn(folder).flatMap((file) => {
    const path = join(folder, file)
    if (root !== undefined && !holds(root, path)) return []
    const content = contentOf(path)
    const text = content === undefined ? undefined : readPrompt(content)
    return text === undefined ? [] : [{ name: basename(file, '.md'), source, ...text }]
  })
}

/** Lists the files whose names can be typed as a command. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^[\p{L}\p{N}_-]{1,64}\.md$/u.test(name))
      .sort()
      .slice(0, limits.files)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return []
  }
}

function contentOf(path: string): string | undefined {
  try {
    return readSettingsText(path, limits.bytes)
  } catch (error) {
    if (!isPipeError(error)) throw error
    return undefined
  }
}

/** Reads the text and its description: the field of that name, else its first line. `undefined` for an empty text. */
function readPrompt(content: string): Pick<OwnPrompt, 'text' | 'description'> | undefined {
  const split = splitFrontMatter(content)
  const { fields, body } = split.type === 'ok' ? split.value : { fields: [], body: content }
  const text = withoutTags(body.trim())
  if (text === '') return undefined
  const field = fields.find(({ name }) => name === 'description')
  const read = field === undefined ? undefined : readScalar(field)
  const told = read?.type === 'ok' ? read.value.trim() : ''
  const [first = ''] = text.split('\n')
  return { text, description: oneLine(told === '' ? first.replace(/^#+\s*/, '') : told, longest) }
}
