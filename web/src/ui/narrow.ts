/** Whether there is no room for a list beside the conversation; the same measure as in `shop.css`. */
export const narrow = (): boolean => typeof matchMedia === "function" && matchMedia("(max-width: 1100px)").matches;
