/** The edge of a fill that does without one, unless fills vanish or the person wants more contrast. */
export const edge = '1px solid var(--_edge,#0000)'
