/** Reads the project's own TypeScript for the architecture test: who imports whom, and how, and what is written in it. */
import path from 'node:path'
import ts from '@typescript/typescript6'
import { readTexts, type SourceText } from './texts.ts'

export interface Import {
  /** A file of the project, from its root; or the name of a package. */
  readonly to: string
  readonly own: boolean
  /** `value` is loaded together with the importer, `lazy` when it is asked for, `type` never. */
  readonly kind: 'value' | 'lazy' | 'type'
  /** Of a lazy import: whether `lazily` loads it, which ends waiting, names the failure and tries again. */
  readonly byLazily?: boolean
}
export interface Source extends SourceText {
  readonly lines: number
  readonly imports: readonly Import[]
  readonly hasJsx: boolean
  /** Property names as they are written: of objects, types, bindings and accesses. */
  readonly keys: ReadonlySet<string>
  /** Lines with the type `any`. */
  readonly anys: readonly number[]
  /** Lines on which a wait is given as a plain number. */
  readonly waits: readonly number[]
}

/** All sources under these folders, in order, parsed. */
export const readSources = (folders: readonly string[]): Source[] => readTexts(folders).map(readSource)

function readSource({ file, text }: SourceText): Source {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true)
  const imports: Import[] = []
  const keys = new Set<string>()
  const anys: number[] = []
  const waits: number[] = []
  let hasJsx = false

  const lineOf = (node: ts.Node) => tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1
  const add = (to: ts.Node | undefined, kind: Import['kind']) => {
    if (!to || !ts.isStringLiteralLike(to)) return
    const own = to.text.startsWith('.')
    const target = own ? path.posix.join(path.posix.dirname(file), to.text) : to.text
    imports.push({ to: target, own, kind, ...(kind === 'lazy' && { byLazily: isInLazily(to) }) })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeOnly(node) ? 'type' : 'value')
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, isTypeOnly(node) ? 'type' : 'value')
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, 'type')
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], 'lazy')
    else if (ts.isCallExpression(node) && isPlainWait(node)) waits.push(lineOf(node))

    if (node.kind === ts.SyntaxKind.AnyKeyword) anys.push(lineOf(node))
    if (ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node) || ts.isJsxFragment(node)) hasJsx = true
    const key = keyOf(node)
    if (key) keys.add(key)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return { file, text, lines: text.split('\n').length - 1, imports, hasJsx, keys, anys, waits }
}

function isInLazily(node: ts.Node): boolean {
  const isCall =
    ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'lazily'
  return isCall || (node.parent !== undefined && isInLazily(node.parent))
}

/** Whether nothing is left of it in JavaScript. */
function isTypeOnly(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(node)) {
    const names =
      node.exportClause && ts.isNamedExports(node.exportClause) ? node.exportClause.elements : undefined
    return node.isTypeOnly || (!!names && names.length > 0 && names.every((name) => name.isTypeOnly))
  }
  const clause = node.importClause
  if (!clause) return false
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true
  const names =
    clause.namedBindings && ts.isNamedImports(clause.namedBindings)
      ? clause.namedBindings.elements
      : undefined
  return !clause.name && !!names && names.length > 0 && names.every((name) => name.isTypeOnly)
}

function keyOf(node: ts.Node): string | undefined {
  const named =
    ts.isPropertyAssignment(node) ||
    ts.isShorthandPropertyAssignment(node) ||
    ts.isPropertySignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isPropertyAccessExpression(node)
  const name = named ? node.name : ts.isBindingElement(node) ? (node.propertyName ?? node.name) : undefined
  return name && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name.text : undefined
}

const waiting = new Set(['setTimeout', 'setInterval', 'sleep', 'within'])

function isPlainWait({ expression, arguments: given }: ts.CallExpression): boolean {
  const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression
  return (
    ts.isIdentifier(name) &&
    waiting.has(name.text) &&
    given.some((argument) => ts.isNumericLiteral(argument) && Number(argument.text) > 0)
  )
}
