/** An id as much of it as people compare. */
export const short = (id: string): string => (id.length > 14 ? `${id.slice(0, 4)}…${id.slice(-6)}` : id);
