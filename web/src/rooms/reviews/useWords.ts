import { createContext, use } from "react";
import { useSpeech } from "../../i18n";
import type { Filter } from "./api";
import { reviewWords, type ReviewWords } from "./words";

export const useReviewWords = (): ReviewWords => reviewWords[useSpeech().lang];

/** Opens the reviews behind a number, in the panel. */
export const OpenContext = createContext<(filter: Filter, title: string) => void>(() => undefined);
export const useOpen = () => use(OpenContext);

export const percent = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} %`;
