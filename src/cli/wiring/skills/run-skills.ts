import { dirname } from 'node:path'
import { findSkills } from '../../../config/skills/find-skills.ts'
import type { Skill } from '../../../config/skills/skill.ts'
import { type SkillPlaces, skillFolders } from '../../../config/skills/skill-folders.ts'
import { holds } from '../../../config/trust/project-root.ts'
import { followed } from '../../../files/real-path.ts'

/** The skills of a run, as they are on disk. */
export class RunSkills {
  readonly #places: SkillPlaces | undefined
  #known: readonly Skill[] | undefined

  /** Without places there are no skills. */
  constructor(places: SkillPlaces | undefined) {
    this.#places = places
  }

  /** Reads the skills as they are now. Those of the project count if it is trusted. */
  read(trusted: boolean | undefined = this.#places?.trusted): readonly Skill[] {
    const places = this.#places
    this.#known = places === undefined ? [] : findSkills(skillFolders({ ...places, trusted })).skills
    return this.#known
  }

  /** Those that were read last, so that each call need not read the disk. */
  get known(): readonly Skill[] {
    return this.#known ?? this.read()
  }

  /** The folders of plugins, and of the skills that were read last, which the model reads without a question, and where their links lead. */
  get folders(): readonly string[] {
    const home = this.#places?.home ?? '/'
    const ofPlugins = (this.#places?.plugins ?? []).map(({ root }) => root)
    const ofSkills = this.known.flatMap(({ path }) => {
      const folder = dirname(path)
      const places = new Set([folder, followed(folder), followed(path)])
      // A link to the home, or to what holds it, would open all of it.
      return [...places].filter((one) => !holds(one, home))
    })
    return [...ofPlugins, ...ofSkills]
  }
}
