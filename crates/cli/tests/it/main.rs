//! What holds for the project as a whole.

#[cfg(test)]
mod architecture;
#[cfg(test)]
mod licences;
#[cfg(test)]
mod program;
#[cfg(test)]
mod sample_shop;
#[cfg(test)]
mod survival;
#[cfg(test)]
mod terminal;
#[cfg(test)]
mod torture;
