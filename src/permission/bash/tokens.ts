/** Tokens of bash, each matched at a place. */
export const redirection = /(\d+|\{[A-Za-z_]\w*\})?(<<<|<<-|<<|<>|<&|>&|>>|>\||&>>|&>|<|>)/y
export const operator = /;;&|;;|;&|&&|\|\||\|&|[;&|()\n]/y
export const variable = /[A-Za-z_]\w*|[0-9@*#?$!-]/y
export const plainExpansion = /([A-Za-z_]\w*|[0-9@*#?$!-])\}/y
export const defaultExpansion = /([A-Za-z_]\w*|[0-9@*]):?[-=+]/y
export const unquotedText = /[^\s\\'"`$;&|<>()]+/y
export const wordBreak = ' \t\n;&|<>()'
