const questions: Readonly<Record<string, string>> = {
  '-v --version': 'node npm ruby perl php gcc g++ cc c++ clang clang++ make docker',
  // Called with -v, Python reads a program from its input.
  '-V --version': 'python python3 pip pip3',
  '-version --version': 'java javac',
  '--version': 'cmake',
  version: 'go',
}

/**
 * The words of which each, when it stands alone, has a program say its version and do nothing else, by the program's name. Missing
 * is what looks into the project for which version of it to run, and from where: cargo and rustc (`rust-toolchain.toml`), pnpm and
 * yarn (`package.json`, `.yarnrc.yml`), npx, dotnet (`global.json`), mvn (`.mvn`) and gradle.
 */
export const versionWords: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(questions).flatMap(([words, names]) =>
    names.split(' ').map((name) => [name, words.split(' ')]),
  ),
)
