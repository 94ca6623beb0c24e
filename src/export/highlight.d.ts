/** What the types of lowlight need of highlight.js, whose own types would add a browser's globals to the whole program. */
export type LanguageFn = (highlighter: object) => object
export type Emitter = object
export type HLJSOptions = object
export type HighlightResult = object
