/** File names by language, so that `type` means the same in every search program. */
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

/** Parses the requested languages: `ts`, `.ts` or `*.ts`, separated by commas or spaces. None means all. */
export function typesIn(text: string): readonly string[] {
  const types = text.split(/[\s,]+/).map((type) => type.replace(/^\*?\.?/, '').toLowerCase())
  return types.filter((type) => type !== '')
}

/** Whether a known language has files with this ending. */
export function isFileEnding(ending: string): boolean {
  return Object.values(fileNames).some((names) => names.split(' ').includes(`*.${ending}`))
}

/** The file names of a language (`*.ts`), by its ripgrep name or a common alias. `undefined` if unknown. */
export function namesOfType(type: string): readonly string[] | undefined {
  const name = Object.hasOwn(otherNames, type) ? otherNames[type] : type
  return name !== undefined && Object.hasOwn(fileNames, name) ? fileNames[name]?.split(' ') : undefined
}

/** Advice for the model on an unknown language. */
export const unknownType = (type: string): string => `the type ${type} is not known; use glob: *.${type}`
