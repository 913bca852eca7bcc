import { Component, type ReactNode } from "react";

interface Props {
  title: string;
  hint: string;
  again: string;
  children: ReactNode;
}

/** Keeps a failure in one part of the page from taking the rest with it. */
export class Boundary extends Component<Props, { failed: boolean }> {
  state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  render() {
    if (!this.state.failed) return this.props.children;
    return (
      <div className="page lost" role="alert">
        <h1>{this.props.title}</h1>
        <p>{this.props.hint}</p>
        <button type="button" className="button" onClick={() => location.reload()}>
          {this.props.again}
        </button>
      </div>
    );
  }
}
