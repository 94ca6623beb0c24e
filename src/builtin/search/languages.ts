/** The names of the languages' files, so that `type` means the same whichever program searches. `*` stands at the beginning only. */
const fileNames: Readonly<Record<string, string>> = {
  c: '*.c *.h',
  clojure: '*.clj *.cljc *.cljs *.edn',
  cmake: '*.cmake CMakeLists.txt',
  cpp: '*.cpp *.cc *.cxx *.hpp *.hh *.hxx *.h *.inl',
  cs: '*.cs',
  css: '*.css *.scss *.sass *.less',
  csv: '*.csv *.tsv',
  dart: '*.dart',
  docker: '*Dockerfile *.dockerfile',
  elixir: '*.ex *.exs *.eex *.heex',
  elm: '*.elm',
  erlang: '*.erl *.hrl',
  go: '*.go',
  gradle: '*.gradle *.gradle.kts',
  graphql: '*.graphql *.graphqls *.gql',
  haskell: '*.hs *.lhs',
  html: '*.html *.htm',
  java: '*.java',
  js: '*.js *.jsx *.mjs *.cjs',
  json: '*.json *.jsonc *.jsonl',
  julia: '*.jl',
  jupyter: '*.ipynb',
  kotlin: '*.kt *.kts',
  lua: '*.lua',
  make: '*Makefile *makefile *.mk *.mak',
  md: '*.md *.mdx *.markdown',
  nix: '*.nix',
  ocaml: '*.ml *.mli',
  perl: '*.pl *.pm *.t',
  php: '*.php *.phtml',
  protobuf: '*.proto',
  ps: '*.ps1 *.psm1 *.psd1',
  py: '*.py *.pyi',
  r: '*.r *.R *.Rmd',
  ruby: '*.rb *.rake *.gemspec Gemfile Rakefile',
  rust: '*.rs',
  scala: '*.scala *.sbt',
  sh: '*.sh *.bash *.zsh *.ksh',
  sql: '*.sql',
  svelte: '*.svelte',
  swift: '*.swift',
  tex: '*.tex *.sty *.cls *.bib',
  tf: '*.tf *.tfvars',
  toml: '*.toml',
  ts: '*.ts *.tsx *.mts *.cts',
  txt: '*.txt',
  vue: '*.vue',
  xml: '*.xml *.xsd *.xsl *.xslt',
  yaml: '*.yaml *.yml',
  zig: '*.zig',
}

const otherNames: Readonly<Record<string, string>> = {
  bash: 'sh',
  csharp: 'cs',
  javascript: 'js',
  jsx: 'js',
  markdown: 'md',
  python: 'py',
  rb: 'ruby',
  rs: 'rust',
  terraform: 'tf',
  tsx: 'ts',
  typescript: 'ts',
  yml: 'yaml',
}

/** The languages that are asked for, as `ts`, `.ts` or `*.ts`, several with a comma or a space between; none: all. */
export function typesIn(text: string): readonly string[] {
  const types = text.split(/[\s,]+/).map((type) => type.replace(/^\*?\.?/, '').toLowerCase())
  return types.filter((type) => type !== '')
}

/** Whether files of a language known here end in `.` and this. */
export function isFileEnding(ending: string): boolean {
  return Object.values(fileNames).some((names) => names.split(' ').includes(`*.${ending}`))
}

/** What the files of a language are called (`*.ts`), by its ripgrep name or one in common use; `undefined` where it is not known here. */
export function namesOfType(type: string): readonly string[] | undefined {
  const name = Object.hasOwn(otherNames, type) ? otherNames[type] : type
  return name !== undefined && Object.hasOwn(fileNames, name) ? fileNames[name]?.split(' ') : undefined
}

/** Whether a file's path ends as one of these names does. */
export function hasName(path: string, names: readonly string[]): boolean {
  const own = path.slice(path.lastIndexOf('/') + 1)
  return names.some((name) => (name.startsWith('*') ? own.endsWith(name.slice(1)) : own === name))
}

/** For the model, of a language that nothing here knows. */
export const unknownType = (type: string): string => `the type ${type} is not known; use glob: *.${type}`
