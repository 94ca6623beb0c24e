const questions: Readonly<Record<string, string>> = {
  '-v --version': 'node npm ruby perl php gcc g++ cc c++ clang clang++ make docker',
  // With `-v`, Python reads a program from its input.
  '-V --version': 'python python3 pip pip3',
  '-version --version': 'java javac',
  '--version': 'cmake',
  version: 'go',
}

/**
 * Words that, alone, only print a program's version. Left out: programs that first look up their version in the project, such as
 * cargo and rustc (`rust-toolchain.toml`), pnpm and yarn (`package.json`), npx, dotnet (`global.json`), mvn (`.mvn`) and gradle.
 */
export const versionWords: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(questions).flatMap(([words, names]) =>
    names.split(' ').map((name) => [name, words.split(' ')]),
  ),
)
