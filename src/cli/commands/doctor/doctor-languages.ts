import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Directories } from '../../../config/directories.ts'
import { readEditPrograms } from '../../../config/programs/language-entries.ts'
import { findProjectPrograms } from '../../../config/programs/project-programs.ts'
import { hasCode } from '../../../error.ts'
import { locateLanguage } from '../../../lsp/locate-language.ts'
import { languagesOf } from '../../../lsp/usual-languages.ts'
import type { LanguageSetup } from '../../../machine/language-setup.ts'
import { findProgram } from '../../../process/search-path.ts'
import { systemPath } from '../../../process/system-path.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import { readOwnSettings } from '../../choices.ts'
import type { RunContext } from '../../run-context.ts'
import { projectFolders } from '../../wiring/project-folders.ts'
import { readAllSettings } from '../../wiring/read-settings.ts'
import type { Checkup } from './checkup.ts'

const name = 'language servers'

/** Names the language servers and formatters that are found, and those that the project lacks. Starts none. */
export async function checkLanguages(
  { host, flags }: Pick<RunContext, 'host' | 'flags'>,
  { config }: Pick<Directories, 'config'>,
): Promise<readonly Checkup[]> {
  try {
    const { settings, trust } = await readAllSettings(host, readOwnSettings(flags))
    const project = await findProjectPrograms({ config, trust })
    const all = [readEditPrograms(settings), ...project.filter(({ isApproved }) => isApproved)]
    const lists = all.map(({ languages }) => languages)
    const path = host.env['PATH'] ?? systemPath
    const where = { path, except: projectFolders(host), root: host.cwd, home: host.home }
    const waiting = project
      .filter(({ isApproved }) => !isApproved)
      .map(
        (one): Checkup =>
          missing(`${visibleLine(one.path)} names programs that need your approval`, 'pipe trust'),
      )
    const formatters = all
      .flatMap((one) => one.formatters)
      .map(({ extension, command: [program = ''] }): Checkup => {
        const isThere = program.includes('/') || findProgram(program, path, where.except) !== undefined
        const text = `${extension}: ${visibleLine(program)}`
        return isThere
          ? { name: 'formatters', state: 'ok', text }
          : {
              name: 'formatters',
              state: 'missing',
              text: `${text} is not installed`,
              remedy: `install ${program}`,
            }
      })
    if (lists.includes(false))
      return [{ name, state: 'missing', text: 'switched off' }, ...waiting, ...formatters]
    const isHere = ({ markers = [] }: LanguageSetup) =>
      markers.some((marker) => existsSync(join(host.cwd, marker)))
    const languages = languagesOf(lists.flatMap((list) => list || []))
    const located = languages.map((language) => ({ language, found: locateLanguage(language, where) }))
    const usable = located.flatMap(({ found }) =>
      typeof found === 'object' ? [`${found.name} (${found.program})`] : [],
    )
    const broken = located.flatMap(({ language, found }) =>
      typeof found === 'string' ? [missing(`${language.name}: ${found}`, language.beside?.remedy)] : [],
    )
    const absent = located.flatMap(({ language, found }) =>
      found === undefined && isHere(language)
        ? [
            missing(
              `${language.name}: ${language.command[0] ?? ''} is not installed: no errors after edits`,
              language.remedy,
            ),
          ]
        : [],
    )
    const isWaiting = usable.length + formatters.length > 0 && trust.trusted !== true
    return [
      { name, state: 'ok', text: visibleLine(usable.join(', ')) || 'none is installed' },
      ...(isWaiting ? [missing('none is started: this folder is not trusted', 'pipe trust')] : []),
      ...broken,
      ...absent,
      ...waiting,
      ...formatters,
    ]
  } catch (error) {
    if (!hasCode(error, 'config')) throw error
    return []
  }
}

function missing(text: string, remedy: string | undefined): Checkup {
  return { name, state: 'missing', text, ...(remedy !== undefined && { remedy }) }
}
