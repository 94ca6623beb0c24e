import type { Field } from '../bash/fields.ts'
import { byName } from './by-name.ts'
import { commandName } from './command-name.ts'
import { archives } from './families/archives.ts'
import { builtins } from './families/builtins.ts'
import { clouds } from './families/clouds.ts'
import { compilers, compilersByPattern } from './families/compilers.ts'
import { containers } from './families/containers.ts'
import { converters } from './families/converters.ts'
import { coreutils, coreutilsByPattern } from './families/coreutils.ts'
import { databases } from './families/databases.ts'
import { editors } from './families/editors.ts'
import { formatters } from './families/formatters.ts'
import { interpreters, interpretersByPattern } from './families/interpreters.ts'
import { network } from './families/network.ts'
import { packages, packagesByPattern } from './families/packages.ts'
import { search, searchByPattern } from './families/search.ts'
import { system } from './families/system.ts'
import { textPrograms } from './families/text-programs.ts'
import { wrappers, wrappersByPattern } from './families/wrappers.ts'
import type { Family, Pattern, Program } from './program.ts'

/** Every family of programs. A name stands in one of them. */
export const families: readonly Family[] = [
  builtins,
  coreutils,
  system,
  textPrograms,
  search,
  archives,
  network,
  compilers,
  formatters,
  converters,
  interpreters,
  databases,
  wrappers,
  packages,
  containers,
  clouds,
  editors,
]

const programs: ReadonlyMap<string, Program> = new Map(families.flatMap((family) => [...byName(family)]))

const byPattern: readonly Pattern[] = [
  ...interpretersByPattern,
  ...compilersByPattern,
  ...packagesByPattern,
  ...wrappersByPattern,
  ...coreutilsByPattern,
  ...searchByPattern,
]

/** Returns the row of the program that a command names. */
export function programOf(name: string): Program | undefined {
  return programs.get(name) ?? byPattern.find(([pattern]) => pattern.test(name))?.[1]
}

/** Returns the row of the program that a command runs. */
export function programIn(command: readonly Field[]): Program | undefined {
  return programOf(commandName(command))
}
