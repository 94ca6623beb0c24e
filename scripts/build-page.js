import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'esbuild'

/** Only calls the page, because no module of `src` acts at import. */
const entry = `
import { openPage } from './src/hono/page/main.tsx'
import './src/hono/page/style/page.css'
const place = document.getElementById('page')
if (place !== null) openPage(window, place)
`

/** A mark in the tab, as part of the page: a file of its own would be one more request. */
const icon =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#9a4522"/>' +
      '<path d="M6 13h13a5 5 0 0 1 5 5v7" fill="none" stroke="#fcfbf8" stroke-width="4.5" stroke-linecap="round"/></svg>',
  )

/** Bundles the page into `page/` of this folder: one script and one stylesheet with hashed names, and the document that loads them. */
export async function buildPage(root, folder) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents: entry, resolveDir: root, sourcefile: 'page.js' },
    bundle: true,
    format: 'esm',
    // The highlighter is a file of its own, which loads when there is code to colour.
    splitting: true,
    platform: 'browser',
    // Browsers with lookbehind in regular expressions, which the filters of foreign text need.
    target: ['chrome111', 'firefox115', 'safari16.4'],
    jsx: 'automatic',
    outdir: join(folder, 'page'),
    entryNames: 'page-[hash]',
    chunkNames: '[name]-[hash]',
    define: { 'process.env.NODE_ENV': '"production"' },
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    write: false,
  })
  mkdirSync(join(folder, 'page'))
  for (const { path, contents } of outputFiles) writeFileSync(path, contents)
  const named = (ending) =>
    basename(outputFiles.find(({ path }) => basename(path).startsWith('page-') && path.endsWith(ending)).path)
  writeFileSync(join(folder, 'page', 'index.html'), documentOf(named('.js'), named('.css')))
}

function documentOf(script, style) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>pipe</title>
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#fcfbf8">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#181715">
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="page/${style}">
<script type="module" src="page/${script}"></script>
</head>
<body>
<div id="page"></div>
<noscript>This page needs JavaScript.</noscript>
</body>
</html>
`
}
