/** What a page may pay for Latchkey, in time, as ratios to a bare dialog. */
export const ratios: { slowCpu: number; slowNetwork: number; longTasks: number }
